package io.github.mcpclient.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerAuth.GrantType;
import io.github.mcpclient.definition.McpServerAuth.OAuth2;
import io.github.mcpclient.internal.support.Redaction;
import io.github.mcpclient.internal.validation.McpServerDefinitions.Configured.Settings;
import io.github.mcpclient.internal.validation.TransportTypes;
import io.github.mcpclient.internal.validation.TransportTypes.ServerType;
import io.github.mcpclient.management.McpServerOrigin;
import io.github.mcpclient.management.McpServerSetting;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.StringUtils;

/**
 * Validates the settings of one server before they become a definition, which
 * {@link io.github.mcpclient.internal.validation.DefinitionValidator} validates.
 *
 * @param replaced whether the server was a child process, whose settings have no effect
 * since connection details replace them
 */
record ServerSettingsValidator(ServerName name, PropertyGroup group, McpServerProperties values, boolean replaced,
		McpPropertySources sources, List<Problem> problems) implements Settings {

	private static final String STDIO_REFUSED = "An imported file must not define a child process, because "
			+ "mcp.import.allow-stdio is false: such a file could run any program. Configure the server in your "
			+ "application, or remove it from the file.";

	static final List<String> TARGETS = List.of("url", "command", "package");

	private static final List<String> HTTP_SETTINGS = List.of("url", "headers", "ssl.bundle", "terminate-on-close",
			"sse-read-timeout", "cookies", "proxy.host", "proxy.port", "proxy.username", "proxy.password",
			"proxy.non-proxy-hosts", "proxy.from-environment", "auth");

	private static final List<String> STDIO_SETTINGS = List.of("command", "package", "memory", "network", "args", "env",
			"env-file", "inherit-environment", "working-directory", "encoding");

	// a setting that is one level too deep, for example by a name with a dot without
	// brackets
	private static final Pattern MISPLACED = Pattern.compile("([^.\\[\\]]+)\\.(url|command|package)",
			Pattern.CASE_INSENSITIVE);

	static boolean isMisplaced(PropertyTarget target) {
		return target.kind() == PropertyTarget.Kind.UNKNOWN
				&& MISPLACED.matcher(target.written(target.key())).matches();
	}

	static boolean isMisplaced(PropertyGroup.Unknown unknown) {
		return MISPLACED.matcher(unknown.setting()).matches();
	}

	@Override
	public boolean contains(String setting) {
		return this.group.contains(setting);
	}

	@Override
	public McpServerOrigin origin() {
		Origin imported = this.group.imported();
		Origin origin = (imported != null) ? imported : this.name.origin();
		return new McpServerOrigin((imported != null) ? McpServerOrigin.Kind.IMPORTED : McpServerOrigin.Kind.CONFIGURED,
				(origin != null) ? Redaction.urls(origin.toString()) : null);
	}

	/**
	 * Errors in imported files of other clients affect only their server, except for
	 * settings that the application does not allow.
	 */
	@Override
	public boolean costsServerAlone(Problem problem) {
		return problem.origin() instanceof PropertySourceOrigin origin
				&& ImportedProperties.isFrom(origin.getPropertySource()) && !problem.message().equals(STDIO_REFUSED);
	}

	@Override
	public Supplier<List<McpServerSetting>> shown() {
		ConfigurableEnvironment environment = this.sources.environment();
		String server = this.name.name();
		return () -> ShownSettings.of(environment, server);
	}

	/**
	 * Describe an error in a setting of the server or, if it is absent, of all servers.
	 */
	@Override
	public Problem problem(String setting, String message, boolean changed) {
		PropertyGroup defaults = this.sources.group("defaults");
		boolean shared = !contains(setting) && defaults.contains(setting);
		if (setting.equals("command") && StringUtils.hasText(this.values.packageName())) {
			ServerPackage of = ServerPackage.of(this.values);
			return (of != null)
					? this.sources.group("runtimes").problem(of.kind() + ".command", "The command is empty.")
					: this.group.problem("package", ServerPackage.EXPECTED);
		}
		return (changed && !shared && !contains(setting))
				? new Problem("McpServerCustomizer for '" + this.name.name() + "': " + setting, message, null)
				: (shared ? defaults : this.group).problem(setting, message);
	}

	void checkName() {
		String error = this.name.error("server");
		if (error != null) {
			reject(error);
		}
	}

	/**
	 * Check that the server has the settings that its type requires, and no others.
	 */
	void check(@Nullable ServerType type, TransportTypes types, boolean allowImportedStdio) {
		Origin imported = allowImportedStdio ? null : this.group.imported();
		boolean runs = (type != null) ? !type.isHttp() : this.values.runs();
		if (imported != null && runs) {
			this.problems.add(new Problem(this.name.property("mcp.servers"), STDIO_REFUSED, imported));
		}
		if (type != null) {
			if (types.refusal(type) == null) {
				checkSettings(type);
			}
		}
		else if (StringUtils.hasText(this.values.type())) {
			reject("type", types.unknown(this.values.type()));
		}
		else if (StringUtils.hasText(this.values.url())) {
			reject("Both 'url' (for a server over HTTP) and '"
					+ (StringUtils.hasText(this.values.command()) ? "command" : "package")
					+ "' (for a child process) are set. Remove one of them.");
		}
		else {
			rejectWithoutTarget();
		}
		if (this.values.workingDirectory() != null && this.values.workingDirectory().indexOf('\0') != -1) {
			reject("working-directory", "The name of a directory must not contain a NUL character.");
		}
	}

	private void checkSettings(ServerType type) {
		if (type.isStdio()) {
			rejectAll(HTTP_SETTINGS, type.misplaced());
			checkPackage();
		}
		else if (type.isHttp() && !this.replaced) {
			rejectAll(STDIO_SETTINGS, type.misplaced());
		}
		String target = type.isStdio() ? "command" : "url";
		String value = type.isStdio() ? this.values.command() : this.values.url();
		if (this.group.contains(target) && !StringUtils.hasText(value)) {
			if (type.isHttp() || (type.isStdio() && !this.values.runs())) {
				reject(target, "The " + target + " is empty.");
			}
		}
		else if (value != null && !type.isStdio()) {
			checkSyntax(value);
		}
	}

	/**
	 * Check that a client that requests tokens for itself has credentials. In files of
	 * other clients, whose users log in, a client ID alone is common.
	 */
	void checkSecret(McpServerAuth auth) {
		OAuth2 oauth2 = auth.oauth2();
		boolean ofItself = auth.type().equals(McpServerAuth.OAUTH2) && !oauth2.interactive()
				&& (oauth2.grantType() == null || oauth2.grantType() == GrantType.CLIENT_CREDENTIALS);
		boolean hasProof = StringUtils.hasText(oauth2.clientSecret()) || oauth2.privateKey() != null
				|| oauth2.privateKeyBundle() != null || oauth2.clientAuthenticationMethod() != null;
		if (ofItself && oauth2.registrationId() == null && StringUtils.hasText(oauth2.clientId()) && !hasProof) {
			reject("auth.oauth2.client-secret", "The client-id has no credentials. Set client-secret, "
					+ "private-key or private-key-bundle; or set client-authentication-method to none for a public "
					+ "client, or grant-type if users log in.");
		}
	}

	private void checkPackage() {
		if (StringUtils.hasText(this.values.packageName()) && StringUtils.hasText(this.values.command())) {
			reject("package", "Both 'package' and 'command' are set. Remove one of them.");
		}
		ServerPackage of = ServerPackage.of(this.values);
		if (of == null || !of.isImage()) {
			rejectAll(List.of("memory", "network"), "This property applies only to packages that begin with oci:.");
		}
	}

	private void checkSyntax(String url) {
		try {
			new URI(url);
		}
		catch (URISyntaxException ex) {
			// its reason and index do not contain parts of the URL
			reject("url", "The URL is invalid: " + ex.getReason().toLowerCase(Locale.ROOT)
					+ ((ex.getIndex() != -1) ? " (character " + (ex.getIndex() + 1) + ")." : "."));
		}
	}

	private void rejectWithoutTarget() {
		for (String setting : TARGETS) {
			if (this.group.contains(setting)) {
				reject(setting, "The " + setting + " is empty.");
				return;
			}
		}
		String advice = this.group.unknown()
			.stream()
			.filter(ServerSettingsValidator::isMisplaced)
			.findFirst()
			.map(this::advice)
			.orElse("");
		reject(advice.isEmpty() ? "Neither 'url' (for a server over HTTP) nor 'command' (for a child process) is set."
				: "Neither 'url' nor 'command' is set. " + advice);
	}

	private String advice(PropertyGroup.Unknown misplaced) {
		Matcher matcher = MISPLACED.matcher(misplaced.setting());
		matcher.matches();
		String name = this.name.name();
		if (!this.name.declared()) {
			String upper = "MCP_SERVERS_" + name.toUpperCase(Locale.ROOT);
			return "In an environment variable, write the name of a server without '-', '_' and '.': " + upper
					+ matcher.group(1) + "_" + matcher.group(2) + ", not " + upper + "_" + matcher.group(1) + "_"
					+ matcher.group(2) + ".";
		}
		return "Write a name with a dot in brackets: mcp.servers[" + name + "." + matcher.group(1) + "]."
				+ matcher.group(2) + ".";
	}

	private void rejectAll(List<String> settings, String message) {
		// an empty target is ignored
		settings.stream().filter((setting) -> switch (setting) {
			case "url" -> StringUtils.hasText(this.values.url());
			case "command" -> StringUtils.hasText(this.values.command());
			case "package" -> StringUtils.hasText(this.values.packageName());
			default -> this.group.contains(setting);
		}).forEach((setting) -> reject(setting, message));
	}

	private void reject(String message) {
		this.problems.add(new Problem(this.name.property("mcp.servers"), message, this.name.origin()));
	}

	private void reject(String setting, String message) {
		this.problems.add(this.group.problem(setting, message));
	}

}
