package io.github.mcpclient.internal.transport;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
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

	// programs by the kind of their packages, some with the argument that makes them
	// download a package
	private static final Map<String, Set<String>> PROGRAMS = Map.of("npm",
			Set.of("npx", "pnpx", "bunx", "npm exec", "npm x", "pnpm dlx", "yarn dlx", "bun x"), "pypi",
			Set.of("uvx", "pipx", "uv run"), "oci", Set.of("docker", "podman"));

	private static final String NETWORK = "(?:HTTPS?|ALL|NO)_PROXY|SSL_CERT_(?:FILE|DIR)";

	// the variables by which a program reaches a registry, or an engine, from the
	// application's environment; only URLs and the settings of a Python index contain
	// credentials
	private static final Map<String, String> VARIABLES = Map.of("npm",
			"|NODE_EXTRA_CA_CERTS|(?:(?:P?NPM|BUN)_CONFIG|YARN)_\\w*"
					+ "(?:REGISTRY|REGISTRY_SERVER|PROXY|CA|CAFILE|STRICT_SSL|USERCONFIG|GLOBALCONFIG)",
			"pypi",
			"|(?:REQUESTS|CURL)_CA_BUNDLE|UV_INDEX_\\w+"
					+ "|(?:UV|PIP)_\\w*(?:INDEX|INDEX_URL|CONFIG_FILE|NATIVE_TLS|CERTS?|_HOST|PROXY)",
			"oci", "|DOCKER_(?:HOST|CONTEXT|CONFIG|CERT_PATH|TLS|TLS_VERIFY|API_VERSION|DEFAULT_PLATFORM)"
					+ "|CONTAINER_(?:HOST|CONNECTION|SSHKEY)|REGISTRY_AUTH_FILE|XDG_RUNTIME_DIR");

	private static final Pattern SECRET_NAME = Pattern.compile("(?i)UV_INDEX_\\w+_(?:USERNAME|PASSWORD)");

	// the user of ssh, which has no password there, is not a secret
	private static final Pattern USER_INFO = Pattern.compile("(?<=^|(?<!ssh:)//|[\\s=,])([^\\s/@]*[^\\s/@:]):?@");

	/**
	 * Return the runner of a package or a command, or {@code null}.
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
		for (Map.Entry<String, Set<String>> kind : PROGRAMS.entrySet()) {
			Set<String> programs = kind.getValue();
			if (programs.contains(name) || args.stream().anyMatch((arg) -> programs.contains(name + " " + arg))) {
				return new PackageRunner(name, kind.getKey());
			}
		}
		return null;
	}

	private static String file(String command) {
		return command.substring(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1);
	}

	/**
	 * Return the environment variables of the application that it needs, except for the
	 * variables that the definition sets, in any case.
	 */
	Map<String, String> variables(Map<String, String> application, Set<String> set) {
		Pattern needed = Pattern.compile(NETWORK + VARIABLES.getOrDefault(this.kind, ""), Pattern.CASE_INSENSITIVE);
		Map<String, String> variables = new HashMap<>(application);
		variables.keySet()
			.removeIf((name) -> !needed.matcher(name).matches() || set.stream().anyMatch(name::equalsIgnoreCase));
		return variables;
	}

	/**
	 * Return the credentials in such variables.
	 */
	static List<String> secrets(Map<String, String> variables) {
		return variables.entrySet()
			.stream()
			.flatMap((variable) -> SECRET_NAME.matcher(variable.getKey()).matches() ? Stream.of(variable.getValue())
					: USER_INFO.matcher(variable.getValue()).results().map((user) -> user.group(1)))
			.flatMap((secret) -> Stream.of(secret, secret.substring(secret.indexOf(':') + 1)))
			.flatMap((secret) -> Stream.of(secret,
					StringUtils.uriDecode(secret.replaceAll("%(?!\\p{XDigit}{2})", "%25"), StandardCharsets.UTF_8)))
			.toList();
	}

}
