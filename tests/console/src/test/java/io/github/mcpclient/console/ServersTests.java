package io.github.mcpclient.console;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.mcpclient.management.McpServerReloader;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the console shows all servers, and what becomes of them.
 */
class ServersTests {

	private static final McpTestServer server = McpTestServer.create().tools("read", "write").start();

	private static final ClientApplication application = Console.unrestricted("mcp.servers.alpha.url=" + server.url(),
			"mcp.servers.beta.enabled=false", "mcp.servers.beta.url=http://b",
			"mcp.servers.gamma.url=http://localhost:" + Peers.freePort() + "/mcp");

	@RegisterExtension
	private final Browser browser = new Browser();

	@Test
	void theWorstServerIsTheFirst() {
		this.browser.open(Console.url(application));
		this.browser.find("[data-server=gamma] :is([data-state=UNAVAILABLE], [data-state=CONNECTING])");
		this.browser.find("[data-server=alpha] [data-state=READY]");
		assertThat(this.browser.now("all('[data-server]').map((row) => row.dataset.server)"))
			.isEqualTo(List.of("gamma", "alpha", "beta"));
	}

	@Test
	void aFigureThatIsNotThereIsAbsent() {
		this.browser.open(Console.url(application));
		this.browser.find("[data-server=alpha] [data-state=READY]");
		this.browser.find("[data-server=alpha] [data-column=tools]");
		// nothing was called
		assertThat(this.browser.now("all('[data-column=p95]').length")).isEqualTo(0L);
		assertThat(this.browser.now("all('.figure').filter((figure) => figure.innerText.includes('\u2013')).length"))
			.isEqualTo(0L);
		this.browser.go("/server/alpha");
		this.browser.see(".facts", "0 pending");
		assertThat((String) this.browser.now("document.querySelector('.facts').innerText")).doesNotContain("p95");
	}

	@Test
	void serversAreFoundByNameAndState() {
		this.browser.open(Console.url(application));
		this.browser.find("[data-server=alpha]");
		this.browser.type("input[type=search]", "ALP");
		this.browser.await("all('[data-server]').length === 1");
		this.browser.find("[data-server=alpha]");
		this.browser.type("input[type=search]", "nobody");
		this.browser.see("No server matches the filter.");
		this.browser.open(Console.url(application));
		this.browser.press("1 –Disabled");
		this.browser.await("all('[data-server]').length === 1");
		this.browser.find("[data-server=beta] [data-state=DISABLED]");
	}

	@Test
	void aServerDiesAndComesBackWhileThePageIsOpen() {
		this.browser.open(Console.url(application));
		this.browser.find("[data-server=alpha] [data-state=READY]");
		server.stop();
		this.browser.await("!all('[data-server=alpha] [data-state=READY]').length");
		this.browser.see("[data-server=alpha]", "refused");
		server.start();
		this.browser.find("[data-server=alpha] [data-state=READY]");
		assertThat(this.browser.now("performance.getEntriesByType('navigation').length")).isEqualTo(1L);
	}

	@Test
	void theConfigurationIsReloadedAndAMistakeStaysUntilItIsMended() {
		MutablePropertySources sources = application.context().getEnvironment().getPropertySources();
		this.browser.open(Console.url(application));
		sources.addFirst(new MapPropertySource("changed", Map.of("mcp.servers.late.url", "http://localhost:9/late",
				"mcp.servers.late.enabled", false, "mcp.servers.gamma.request-timeout", "-1s")));
		try {
			this.browser.press("Reload configuration");
			this.browser.see("#reload-failure", "mcp.servers.gamma.request-timeout");
			this.browser.see("#reloaded", "(1 error)");
			this.browser.open(Console.url(application));
			this.browser.see("#reload-failure", "mcp.servers.gamma.request-timeout");
			sources.addFirst(new MapPropertySource("mended", Map.of("mcp.servers.gamma.request-timeout", "9s")));
			this.browser.press("Reload configuration");
			this.browser.see("#reloaded", "added: late; replaced: gamma; unchanged: 2");
			this.browser.await("!document.querySelector('#reload-failure').innerText");
			this.browser.find("[data-server=late]");
		}
		finally {
			sources.remove("changed");
			sources.remove("mended");
			application.context().getBean(McpServerReloader.class).reload();
		}
	}

	@Test
	void aThousandServersStayUsable() {
		ClientApplication many = Console.unrestricted(IntStream.range(0, 1000)
			.boxed()
			.flatMap((i) -> Stream.of("mcp.servers.many-%03d.url=http://localhost:9/%d".formatted(i, i),
					"mcp.servers.many-%03d.enabled=false".formatted(i)))
			.toArray(String[]::new));
		this.browser.open(Console.url(many));
		this.browser.press("1,000 –Disabled");
		this.browser.find("[data-server][aria-rowindex='2']");
		assertThat((Long) this.browser.now("document.querySelectorAll('[data-server]').length")).isLessThan(60);
		this.browser.now("scrollTo(0, document.body.scrollHeight)");
		this.browser.find("[data-server][aria-rowindex='1001']");
		assertThat((Long) this.browser.now("document.querySelectorAll('[data-server]').length")).isLessThan(60);
		this.browser.type("input[type=search]", "many-98");
		this.browser.await("all('[data-server]').length === 10");
		this.browser.find("[data-server=many-987]");
	}

}
