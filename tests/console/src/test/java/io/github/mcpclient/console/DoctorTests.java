package io.github.mcpclient.console;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Endurance;
import io.github.mcpclient.testsupport.PlantedFault;
import io.github.mcpclient.testsupport.Unchecked;
import org.junit.jupiter.api.DynamicTest;
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

	@TestFactory
	Stream<DynamicTest> aFaultIsFoundAtItsStepWithWhatToDoAndAHealthyServerPasses() {
		List<PlantedFault> planted = planted();
		List<String> properties = new ArrayList<>(
				List.of("mcp.startup.mode=lazy", "mcp.servers.healthy.url=" + healthy.url()));
		planted.forEach((fault) -> properties.addAll(fault.properties(name(fault), folder(fault))));
		ClientApplication application = Console.unrestricted(properties.toArray(String[]::new));
		this.browser.open(Console.url(application));
		return Stream.concat(Stream.of(DynamicTest.dynamicTest("healthy", () -> passesUntouched(application))),
				planted.stream().map((fault) -> DynamicTest.dynamicTest(name(fault), () -> isFound(fault))));
	}

	private void isFound(PlantedFault fault) {
		check(name(fault));
		String step = "[data-step=" + fault.step() + "][data-outcome=FAILED]";
		this.browser.see(step, fault.detail());
		this.browser.see(step, "What to do: ");
		this.browser.see(step, fault.advice());
		assertThat(this.browser.all("[data-outcome=FAILED]")).hasSize(1);
		// what was not reached is one row
		String silent = "[data-outcome=SKIPPED]:not(:has(.untrusted))";
		assertThat(this.browser.all(silent + " + " + silent)).isEmpty();
	}

	private void passesUntouched(ClientApplication application) {
		assertThat(application.text("healthy_read", Map.of("message", "x"))).isEqualTo("read x");
		List<String> sessions = List.copyOf(healthy.sessions());
		check("healthy");
		this.browser.find("[data-step=LISTING][data-outcome=PASSED]");
		assertThat(this.browser.all("[data-outcome=FAILED]")).isEmpty();
		assertThat(healthy.sessions()).containsAll(sessions);
	}

	private void check(String server) {
		this.browser.go("/server/" + server + "/doctor");
		this.browser.press("Check this server");
		this.browser.find("[data-step]");
	}

	/**
	 * One for each step, unless all are wanted: the diagnosis finds them, and has tests
	 * of its own for each.
	 */
	private static List<PlantedFault> planted() {
		Set<StepKind> steps = new HashSet<>();
		return Stream.of(PlantedFault.values())
			.filter((fault) -> steps.add(fault.step()) || Endurance.isFull())
			.toList();
	}

	private static String name(PlantedFault fault) {
		return fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	private Path folder(PlantedFault fault) {
		return Unchecked.get(() -> Files.createDirectory(this.folder.resolve(fault.name())));
	}

}
