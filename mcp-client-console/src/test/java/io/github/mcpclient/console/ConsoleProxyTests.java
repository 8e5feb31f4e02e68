package io.github.mcpclient.console;

import io.github.mcpclient.console.ConsoleApplication.Answer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the console behind a Tomcat that takes addresses of a header of the
 * application's choice, and removes it.
 */
class ConsoleProxyTests {

	@Test
	void takesNoAddressThatAHeaderOfAnyNameSays() {
		try (ConsoleApplication application = ConsoleApplication.run(WebApplicationType.SERVLET, new Class<?>[0],
				"server.tomcat.remoteip.remote-ip-header=X-Client", ConsoleApplication.WITHOUT_SECURITY)) {
			Answer answer = application.get("/api/servers", "X-Client: 127.0.0.1");
			assertThat(answer.status()).isEqualTo(403);
			assertThat(answer.error()).contains("through a proxy");
		}
	}

}
