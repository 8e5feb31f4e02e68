package io.github.mcpclient.transport;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.definition.McpServerDefinition.Stdio;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The program that may have to download a server before it runs it, such as {@code npx}.
 *
 * @param name the name of the program
 * @param kind the kind of its packages: {@code npm}, {@code pypi} or {@code oci}
 */
record PackageRunner(String name, String kind) {

	/**
	 * Programs by the kind of their packages, with the arguments that make them download
	 * what they run; without arguments where they always do.
	 */
	private static final Map<String, Map<String, Set<String>>> PROGRAMS = Map.of("npm",
			Map.of("npx", Set.of(), "pnpx", Set.of(), "bunx", Set.of(), "npm", Set.of("exec", "x"), "pnpm",
					Set.of("dlx"), "yarn", Set.of("dlx"), "bun", Set.of("x")),
			"pypi", Map.of("uvx", Set.of(), "pipx", Set.of(), "uv", Set.of("run")), "oci",
			Map.of("docker", Set.of(), "podman", Set.of()));

	/**
	 * What they need to reach a registry, or an engine, from where the application runs.
	 * Credentials are among them in urls alone, and in those of an index of Python.
	 */
	private static final Map<String, Pattern> VARIABLES = Map.of("npm",
			variables("NODE_EXTRA_CA_CERTS|(?:NPM|PNPM|BUN)_CONFIG_(?:REGISTRY|(?:HTTPS?_)?PROXY|NO_?PROXY|CA|CAFILE"
					+ "|STRICT_SSL|USERCONFIG|GLOBALCONFIG)|YARN_(?:NPM_REGISTRY_SERVER|HTTPS?_PROXY)"),
			"pypi",
			variables("REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|UV_(?:(?:DEFAULT|EXTRA)_INDEX(?:_URL)?|INDEX(?:_\\w+)?"
					+ "|CONFIG_FILE|NATIVE_TLS|SYSTEM_CERTS|INSECURE_HOST|HTTPS?_PROXY|NO_PROXY)"
					+ "|PIP_(?:(?:EXTRA_)?INDEX_URL|TRUSTED_HOST|CERT|PROXY|CONFIG_FILE)"),
			"oci", variables("DOCKER_(?:HOST|CONTEXT|CONFIG|CERT_PATH|TLS|TLS_VERIFY|API_VERSION|DEFAULT_PLATFORM)"
					+ "|CONTAINER_(?:HOST|CONNECTION|SSHKEY)|REGISTRY_AUTH_FILE|XDG_RUNTIME_DIR"));

	private static final Pattern NETWORK = variables("");

	private static final Pattern SECRET_NAME = Pattern.compile("(?i)UV_INDEX_\\w+_(?:USERNAME|PASSWORD)");

	// the user of ssh, who has no password there, is no secret
	private static final Pattern USER_INFO = Pattern.compile("(?<=^|(?<!ssh:)//|[\\s=,])([^\\s/@:=]*+):?([^\\s/@]*+)@");

	private static Pattern variables(String ofKind) {
		return Pattern.compile("(?:(?:HTTPS?|ALL|NO)_PROXY|SSL_CERT_(?:FILE|DIR)|" + ofKind + ")",
				Pattern.CASE_INSENSITIVE);
	}

	/**
	 * Returns the runner of a package or a command; {@code null} if it is none.
	 */
	static @Nullable PackageRunner of(Stdio stdio) {
		return (stdio.packageName() != null)
				? new PackageRunner(file(stdio.command()), stdio.packageName().split(":", 2)[0])
				: of(stdio.command(), stdio.args());
	}

	private static @Nullable PackageRunner of(String command, List<String> args) {
		String name = file(command).toLowerCase(Locale.ROOT).replaceFirst("\\.(exe|cmd|bat)$", "");
		if (name.equals("cmd")) {
			// cmd /c npx ...
			List<String> rest = args.stream()
				.dropWhile((arg) -> arg.startsWith("/"))
				.flatMap((arg) -> List.of(arg.split(" ")).stream())
				.toList();
			return rest.isEmpty() ? null : of(rest.get(0), rest.subList(1, rest.size()));
		}
		return PROGRAMS.entrySet().stream().filter((kind) -> {
			Set<String> subcommands = kind.getValue().get(name);
			return subcommands != null && (subcommands.isEmpty() || args.stream().anyMatch(subcommands::contains));
		}).map((kind) -> new PackageRunner(name, kind.getKey())).findFirst().orElse(null);
	}

	private static String file(String command) {
		return command.substring(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1);
	}

	/**
	 * Returns those of the variables of the application that it needs, but for what the
	 * definition sets, in whatever spelling.
	 */
	Map<String, String> variables(Map<String, String> application, Set<String> set) {
		Pattern needed = VARIABLES.getOrDefault(this.kind, NETWORK);
		return application.entrySet()
			.stream()
			.filter((variable) -> needed.matcher(variable.getKey()).matches()
					&& set.stream().noneMatch(variable.getKey()::equalsIgnoreCase))
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
	}

	/**
	 * Returns the credentials in such variables.
	 */
	static List<String> secrets(Map<String, String> variables) {
		return variables.entrySet()
			.stream()
			.flatMap((variable) -> SECRET_NAME.matcher(variable.getKey()).matches() ? Stream.of(variable.getValue())
					: USER_INFO.matcher(variable.getValue())
						.results()
						.flatMap((user) -> Stream.of(user.group(1) + ":" + user.group(2),
								user.group(user.group(2).isEmpty() ? 1 : 2))))
			.flatMap((secret) -> Stream.of(secret,
					StringUtils.uriDecode(secret.replaceAll("%(?!\\p{XDigit}{2})", "%25"), StandardCharsets.UTF_8)))
			.toList();
	}

}
