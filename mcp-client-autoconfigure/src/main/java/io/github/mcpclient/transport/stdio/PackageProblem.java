package io.github.mcpclient.transport.stdio;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Why a program that downloads what it runs has not run it, by what {@code npx},
 * {@code uvx} and {@code docker} write to their standard error.
 */
enum PackageProblem {

	UNKNOWN_NPM("npm does not know this package, or this version of it",
			"Check its name and version. A private one needs its registry and token in an .npmrc.",
			"npm (?:error|ERR!) code (?:E404|ETARGET|EINVALIDTAGNAME|EINVALIDPACKAGENAME)"),

	NO_PROGRAM("the npm package has no program to run", "Check whether it is an MCP server.",
			"could not determine executable to run"),

	NPM_UNREACHABLE("npm does not reach its registry",
			"Check the network, and that a mirror or proxy is in an .npmrc or in env: the child process sees no other "
					+ "variables.",
			"npm (?:error|ERR!) code (?:ENOTFOUND|EAI_AGAIN|ECONN\\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED"
					+ "|ERR_SOCKET_TIMEOUT)"),

	PYPI_UNREACHABLE("uv does not reach its registry",
			"Check the network, and that a mirror or proxy is in uv.toml or in env: the child process sees no other "
					+ "variables.",
			"Failed to fetch: `|error sending request for url|tcp connect error" + "|network connectivity is disabled"),

	UNKNOWN_PYPI("uv does not know this package, or this version of it", "Check its name and version.",
			"not found in the package registry|No solution found when resolving|no version of \\S+"),

	NO_DAEMON("the container engine is not running, or not open to this user",
			"Start it, and check that the user of the application may use it.",
			"(?:Cannot connect to|permission denied while trying to connect to) the [Dd]ocker (?:daemon|API)"
					+ "|failed to connect to the docker API"),

	REGISTRY_UNREACHABLE("the registry of the image cannot be reached",
			"Check the network, and the proxy of the container engine.",
			"dial tcp|TLS handshake timeout|i/o timeout|no such host|Client\\.Timeout exceeded"),

	UNKNOWN_IMAGE("there is no such image, or it is not open to this user",
			"Check its name and tag. A private one needs docker login.",
			"pull access denied|manifest unknown|manifest for \\S+ not found|repository does not exist"
					+ "|name unknown|invalid reference format");

	private final String summary;

	private final String nextStep;

	private final Pattern pattern;

	PackageProblem(String summary, String nextStep, String pattern) {
		this.summary = summary;
		this.nextStep = nextStep;
		this.pattern = Pattern.compile(pattern);
	}

	/**
	 * Returns the problem of a command, or {@code null} if it is none of these.
	 */
	static @Nullable PackageProblem of(boolean container, List<String> stderr) {
		return Stream.of(values())
			.filter((problem) -> container == (problem.compareTo(NO_DAEMON) >= 0))
			.filter((problem) -> stderr.stream().anyMatch((line) -> problem.pattern.matcher(line).find()))
			.findFirst()
			.orElse(null);
	}

	String summary() {
		return this.summary;
	}

	String nextStep() {
		return this.nextStep;
	}

}
