package io.github.mcpclient.console;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.PlantedFault;
import io.github.mcpclient.testsupport.Unchecked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the doctor of the console finds faults that were planted, each at its step,
 * and says what to do.
 */
class DoctorTests {

	private static final McpTestServer healthy = McpTestServer.create().tools("read").start();

	@TempDir
	private Path folder;

	@RegisterExtension
	private final Browser browser = new Browser();

	@Test
	void aHealthyServerPassesWithoutItsConnectionBeingTouched() {
		ClientApplication application = Console.unrestricted("mcp.servers.healthy.url=" + healthy.url());
		assertThat(application.text("healthy_read", Map.of("message", "x"))).isEqualTo("read x");
		List<String> sessions = List.copyOf(healthy.sessions());
		check(application, "healthy");
		this.browser.find("[data-step=LISTING][data-outcome=PASSED]");
		assertThat(this.browser.all("[data-outcome=FAILED]")).isEmpty();
		assertThat(healthy.sessions()).containsAll(sessions);
	}

	@TestFactory
	Stream<DynamicTest> aFaultIsFoundAtItsStepWithWhatToDo() {
		ClientApplication application = Console.unrestricted(Stream
			.concat(Stream.of("mcp.startup.mode=lazy"),
					Stream.of(PlantedFault.values())
						.flatMap((fault) -> fault.properties(name(fault), folder(fault)).stream()))
			.toArray(String[]::new));
		return Stream.of(PlantedFault.values()).map((fault) -> DynamicTest.dynamicTest(name(fault), () -> {
			check(application, name(fault));
			String step = "[data-step=" + fault.step() + "][data-outcome=FAILED]";
			this.browser.see(step, fault.detail());
			this.browser.see(step, "What to do: ");
			this.browser.see(step, fault.advice());
			assertThat(this.browser.all("[data-outcome=FAILED]")).hasSize(1);
		}));
	}

	private void check(ClientApplication application, String server) {
		this.browser.open(Console.url(application, server + "/doctor"));
		this.browser.press("Check this server");
		this.browser.find("[data-step]");
	}

	private static String name(PlantedFault fault) {
		return fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	private Path folder(PlantedFault fault) {
		return Unchecked.get(() -> Files.createDirectory(this.folder.resolve(fault.name())));
	}

}
