package io.github.mcpclient.faults;

import java.util.List;
import java.util.stream.Stream;

import io.github.mcpclient.faults.SoakPlan.Step;
import io.github.mcpclient.faults.SoakServer.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SoakPlan}.
 */
class SoakPlanTests {

	private static final List<Kind> SERVERS = List.of(Kind.STDIO, Kind.STREAMABLE_HTTP, Kind.OAUTH);

	@Test
	void seedRepeatsAPlan() {
		assertThat(steps(42)).isEqualTo(steps(42)).isNotEqualTo(steps(43));
	}

	@Test
	void eachServerMeetsEachFaultOfItsKind() {
		List<Step> steps = steps(1);
		for (int i = 0; i < SERVERS.size(); i++) {
			int server = i;
			assertThat(steps.stream().filter((step) -> step.server() == server).map(Step::fault).distinct())
				.containsExactlyInAnyOrderElementsOf(SoakFault.over(SERVERS.get(server)));
		}
	}

	private static List<Step> steps(long seed) {
		return Stream.generate(new SoakPlan(seed, SERVERS)::next).limit(1000).toList();
	}

}
