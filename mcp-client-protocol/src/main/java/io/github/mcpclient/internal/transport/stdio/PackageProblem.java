package io.github.mcpclient.internal.transport.stdio;

import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Why a package was not run, by what {@code npx}, {@code uvx} or {@code docker} writes to
 * standard error before it gives up.
 *
 * @param runtime the runtime that has failed, as a pattern; a container engine with its
 * exit code
 * @param pattern the beginning of one of its lines, without blanks and frames
 */
record PackageProblem(String runtime, Pattern pattern, String summary, String nextStep) {

	private static final String NPM = "^npm (?:error|ERR!) (?:code )?";

	private static final String UV = "^\\W*(?:(?:error|[Cc]ause|Caused by): )?";

	private static final String DOCKER = "^(?:docker|Error|ERROR): .*";

	private static final String UNREACHABLE = "Check the network. If a mirror or proxy is needed, set it in its "
			+ "configuration file, in env, or in the environment of the application: it gets HTTPS_PROXY and the "
			+ "like from there.";

	private static final List<PackageProblem> ALL = List.of(
			of("npm", NPM + "(?:E404|ETARGET|EINVALIDTAGNAME|EINVALIDPACKAGENAME)",
					"npm does not know this package, or this version of it",
					"Check its name and version. A private one needs its registry and token in an .npmrc."),
			of("npm", NPM + "could not determine executable", "the npm package has no program to run",
					"Check whether it is an MCP server."),
			of("npm", NPM + "(?:ENOTFOUND|EAI_AGAIN|ECONN\\w+|ETIMEDOUT|E\\w+UNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)",
					"npm cannot reach its registry", UNREACHABLE),
			of("pypi", UV + "(?:Failed to fetch:\\s*(?:`|$)|Could not connect, are you|error sending request for url)",
					"uv cannot reach its registry", UNREACHABLE),
			of("pypi", UV + "(?:No solution found when resolving|Because \\S+ was not found in the package registry)",
					"uv does not know this package, or this version of it", "Check its name and version."),
			of("oci125", DOCKER
					+ "(?:(?:Cannot connect to|permission denied .*) the [Dd]ocker|failed to connect to the docker)",
					"the container engine is not running, or this user may not access it",
					"Start it, and check that the user of the application may use it."),
			of("oci125",
					DOCKER + "(?:dial tcp|TLS handshake timeout|i/o timeout|no such host|Client\\.Timeout exceeded)",
					"the registry of the image cannot be reached", "Check the network, and the proxy of the engine."),
			of("oci125", DOCKER
					+ "(?:pull access denied|manifest .*(?:unknown|not found)|does not exist|name unknown|invalid ref)",
					"there is no such image, or this user may not access it",
					"Check its name and tag. A private one needs docker login."),
			of("oci12[5-7]", "^\\[FATAL tini|" + DOCKER + "(?:executable file not found|exec format error)",
					"the image has no such program, or cannot run it",
					"Check whether it is an MCP server, and its args."));

	private static PackageProblem of(String runtime, String pattern, String summary, String nextStep) {
		return new PackageProblem(runtime, Pattern.compile(pattern), summary, nextStep);
	}

	/**
	 * Return the problem of a runtime that has exited, or {@code null} for any other
	 * problem. A container engine exits with 125 if it fails itself, and with 126 or 127
	 * if the program cannot be run, or the program does.
	 */
	static @Nullable PackageProblem find(String runtime, int exitCode, List<String> stderr) {
		String failed = (exitCode == 0) ? "" : runtime.equals("oci") ? runtime + exitCode : runtime;
		return ALL.stream()
			.filter((problem) -> failed.matches(problem.runtime)
					&& stderr.stream().anyMatch((line) -> problem.pattern.matcher(line).find()))
			.findFirst()
			.orElse(null);
	}

}
