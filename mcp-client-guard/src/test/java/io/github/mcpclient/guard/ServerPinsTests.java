package io.github.mcpclient.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.github.mcpclient.guard.ServerPins.Approved;
import io.github.mcpclient.internal.support.LogLimit;
import io.github.mcpclient.management.McpToolPin;
import io.github.mcpclient.management.McpToolPin.State;
import io.github.mcpclient.spi.McpToolPinStore.ApprovedTool;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerPins}.
 */
class ServerPinsTests {

	private final List<ApprovedTool> approved = new ArrayList<>();

	@Test
	void aListingThatEndsLateDoesNotReplaceALaterOne() {
		ServerPins pins = pins();
		pins.listed(2, false, List.of(tool("x")), known());
		pins.listed(1, false, List.of(tool("y")), known());
		assertThat(pins.compared().pins()).extracting(McpToolPin::tool).containsExactly("x");
	}

	@Test
	void whatUsersSeeIsKeptWithinABound() {
		ServerPins pins = pins();
		for (int i = 0; i < 20; i++) {
			pins.listed(i, true, List.of(described("x", "of user " + i), tool("t" + i)), known());
		}
		assertThat(pins.compared().tools().keySet()).hasSize(5).contains("x", "t19", "t18");
		assertThat(pins.compared().tools().get("x")).hasSize(4)
			.first()
			.extracting((known) -> known.tool().description())
			.isEqualTo("of user 19");
	}

	@Test
	void aToolWithoutAHashCostsThisToolOnly() {
		Object deep = List.of();
		for (int i = 0; i < 100_000; i++) {
			deep = List.of(deep);
		}
		Tool tool = new Tool("deep", null, null, Map.of("x", deep), null, null, null, null);
		ServerPins pins = pins();
		this.approved.add(TestGuard.approved(tool("x")));
		pins.listed(1, false, List.of(tool, tool("x")), known());
		assertThat(pins.compared().pins()).extracting(McpToolPin::state).containsExactly(State.UNKNOWN, State.APPROVED);
		assertThat(pins.compared().refusal(tool))
			.isEqualTo("tools.pinning is block, and its definition cannot be compared: more than 200 levels");
	}

	private Approved known() {
		return Approved.of(this.approved, UnaryOperator.identity());
	}

	private ServerPins pins() {
		return new ServerPins(5, new LogLimit(() -> 0L));
	}

	private static Tool tool(String name) {
		return described(name, "does " + name);
	}

	private static Tool described(String name, String description) {
		return new Tool(name, null, description, Map.of("type", "object"), null, null, null, null);
	}

}
