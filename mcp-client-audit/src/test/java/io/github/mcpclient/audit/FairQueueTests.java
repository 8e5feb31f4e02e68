package io.github.mcpclient.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.mcpclient.audit.McpAuditRecord.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FairQueue}.
 */
class FairQueueTests {

	private final FairQueue queue = new FairQueue();

	static McpAuditRecord record(@Nullable String server) {
		return new McpAuditRecord(Instant.EPOCH, McpAuditRecord.CALL, server, "tool", null, Outcome.SUCCESS,
				Duration.ZERO, null, null, null);
	}

	private int fill(String server) {
		int added = 0;
		while (this.queue.offer(record(server))) {
			added++;
		}
		return added;
	}

	@Test
	void aServerThatFloodsTheQueueHasItsShare() {
		assertThat(fill("flood")).isEqualTo(FairQueue.SHARE);
		assertThat(this.queue.offer(record("other"))).isTrue();
		assertThat(this.queue.offer(record(null))).isTrue();
	}

	@Test
	void manyThatFloodItLeaveRoomForEachOther() {
		int servers = FairQueue.CAPACITY / FairQueue.SHARE;
		for (int i = 0; i < servers; i++) {
			assertThat(fill("flood-" + i)).isEqualTo(FairQueue.SHARE);
		}
		assertThat(fill("other")).isEqualTo(FairQueue.GUARANTEED);
		assertThat(this.queue.clear()).isEqualTo(FairQueue.CAPACITY + FairQueue.GUARANTEED);
	}

	@Test
	void serversTakeTurns() throws Exception {
		fill("flood");
		this.queue.offer(record("b"));
		this.queue.offer(record("c"));
		assertThat(this.queue.take(5, 0)).extracting(McpAuditRecord::server)
			.containsExactly("flood", "b", "c", "flood", "flood");
	}

	@Test
	void oneThatIsClosedTakesNoMoreAndGivesWhatItHas() throws Exception {
		this.queue.offer(record("a"));
		this.queue.close();
		assertThat(this.queue.offer(record("a"))).isFalse();
		assertThat(this.queue.take(5, 60)).hasSize(1);
		assertThat(this.queue.take(5, 60)).isEqualTo(List.of());
	}

}
