package io.github.mcpclient.internal.transport.stdio;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PackageProblem}.
 */
class PackageProblemTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					npm  | 1   | npm does not know | npm error code E404
					npm  | 1   | npm does not know | npm ERR! code ETARGET
					npm  | 1   | the npm package has no program | npm error could not determine executable to run
					npm  | 1   | npm cannot reach | npm error code ECONNREFUSED
					npm  | 1   | npm cannot reach | npm error code ENOTFOUND
					pypi | 1   | uv does not know | ' × No solution found when resolving tool dependencies:'
					pypi | 1   | uv does not know | ' ╰─▶ Because any was not found in the package registry and you require any'
					pypi | 2   | uv cannot reach | error: Failed to fetch: `https://pypi.org/simple/any/`
					pypi | 1   | uv cannot reach | ' ├─▶ Failed to fetch:'
					pypi | 2   | uv cannot reach | ' Caused by: error sending request for url (https://pypi.org/simple/any/)'
					oci  | 125 | the container engine is not running | docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.
					oci  | 125 | the registry of the image | docker: Error response from daemon: dial tcp: lookup r on 10.0.0.1:53: no such host
					oci  | 125 | there is no such image | docker: Error response from daemon: pull access denied for any
					oci  | 127 | the image has no such program | docker: Error response from daemon: exec: "any": executable file not found in $PATH
					oci  | 127 | the image has no such program | [FATAL tini (8)] exec any failed: No such file or directory
					""")
	void whatARuntimeWrites(String runtime, int exitCode, String summary, String line) {
		assertThat(PackageProblem.find(runtime, exitCode, List.of("first", line, "last")).summary())
			.startsWith(summary);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			oci  | 1   | Error: dial tcp: no such host
			oci  | 127 | docker: Error response from daemon: dial tcp: lookup r on 10.0.0.1:53: no such host
			oci  | 126 | ERROR: Cannot connect to the Docker daemon
			oci  | 137 | Cannot connect to the Docker daemon
			npm  | 1   | Cannot connect to the Docker daemon
			npm  | 1   | GET https://db.example/x: E404 no such host
			npm  | 0   | npm error code E404
			pypi | 1   | 'error: Failed to fetch: the exchange rates'
			pypi | 1   | the user was not found in the package registry of the ministry
			''   | 1   | npm error code E404
			""")
	void whatAServerWrites(String runtime, int exitCode, String line) {
		assertThat(PackageProblem.find(runtime, exitCode, List.of(line))).isNull();
	}

}
