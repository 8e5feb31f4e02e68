package io.github.mcpclient.internal.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.event.McpToolsChangedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RegistryEvents}.
 */
class RegistryEventsTests {

	private final DefaultMcpServerRegistry.HostApplication application = mock();

	private final Map<String, McpTool> listed = Map.of("a_x", mock(), "a_y", mock(), "b_x", mock());

	private final RegistryEvents events = new RegistryEvents(this.application, () -> this.listed,
			Schedulers.immediate());

	private final List<Collection<String>> shown = new ArrayList<>();

	@BeforeEach
	void remember() {
		willAnswer((call) -> this.shown.add(Set.copyOf(call.<Collection<String>>getArgument(0))))
			.given(this.application)
			.showTools(any(), any());
	}

	@AfterEach
	void close() {
		this.events.close();
	}

	@Test
	void onlyWhatIsNewIsShown() {
		this.events.showTools();
		change("a", Set.of("a_y"), Set.of());
		change("b", Set.of("b_x"), Set.of("b_y"));
		change("b", Set.of(), Set.of("b_x"));
		awaitShown();
		assertThat(this.shown).containsExactly(this.listed.keySet(), Set.of("a_y"), Set.of("b_x"), Set.of());
	}

	@Test
	void whatCouldNotBeShownIsShownWithTheNextChange() {
		willAnswer((call) -> {
			remember();
			throw new IllegalStateException("not now");
		}).given(this.application).showTools(any(), any());
		change("a", Set.of("a_x"), Set.of());
		change("b", Set.of("b_x"), Set.of());
		assertThat(this.shown).containsExactly(Set.of("a_x", "b_x"));
	}

	private void change(String server, Set<String> added, Set<String> removed) {
		this.events.catalogChanged(List.of(new McpToolsChangedEvent(server, added, removed, Set.of())));
		awaitShown();
	}

	private void awaitShown() {
		this.events.toolsShown().block(Duration.ofSeconds(30));
	}

}
