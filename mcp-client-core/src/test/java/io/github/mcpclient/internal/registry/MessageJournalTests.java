package io.github.mcpclient.internal.registry;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.mcpclient.management.ManagedMcpServer.RecentMessage;
import io.github.mcpclient.management.ManagedMcpServer.RecentMessage.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MessageJournal}.
 */
class MessageJournalTests {

	private static final int SIZE = 4 * 1024 * 1024;

	private static final String TEXT = "x".repeat(16 * 1024);

	private final MessageJournal.Memory memory = new MessageJournal.Memory(200, SIZE);

	@Test
	void allServersTogetherStayWithinTheirMemory() {
		List<MessageJournal> journals = journals(3000);
		for (int round = 0; round < 3; round++) {
			journals.forEach((journal) -> IntStream.range(0, 5).forEach((i) -> journal.add(message(TEXT))));
			assertThat(this.memory.used()).isLessThan(2 * SIZE);
		}
		assertThat(journals).allSatisfy((journal) -> assertThat(journal.after(0)).isNotEmpty());
	}

	@Test
	void oneThatTalksMuchLeavesOthersTheirMessages() {
		List<MessageJournal> journals = journals(100);
		journals.forEach((journal) -> IntStream.range(0, 10).forEach((i) -> journal.add(message("short"))));
		IntStream.range(0, 1000).forEach((i) -> journals.get(0).add(message(TEXT)));
		assertThat(journals.get(0).after(0)).hasSizeLessThan(200).last().returns(1010L, RecentMessage::sequence);
		assertThat(journals.subList(1, 100)).allSatisfy((journal) -> assertThat(journal.after(0)).hasSize(10));
	}

	@Test
	void oneAloneMayUseAll() {
		MessageJournal journal = this.memory.journal();
		IntStream.range(0, 200).forEach((i) -> journal.add(message("x".repeat(8 * 1024))));
		assertThat(journal.after(0)).hasSize(200).noneMatch(RecentMessage::truncated);
	}

	@Test
	void whatIsClosedLeavesNothing() {
		List<MessageJournal> journals = journals(10);
		journals.forEach((journal) -> journal.add(message(TEXT)));
		journals.forEach(MessageJournal::close);
		journals.forEach((journal) -> journal.add(message(TEXT)));
		journals.forEach(MessageJournal::close);
		assertThat(this.memory.used()).isZero();
		MessageJournal next = this.memory.journal();
		next.add(message(TEXT));
		assertThat(next.after(0)).singleElement().returns(TEXT, RecentMessage::text);
	}

	private List<MessageJournal> journals(int count) {
		List<MessageJournal> journals = new ArrayList<>();
		IntStream.range(0, count).forEach((i) -> journals.add(this.memory.journal()));
		return journals;
	}

	private static RecentMessage message(String text) {
		return new RecentMessage(0, Instant.EPOCH, false, Kind.NOTIFICATION, "notifications/message", null,
				text.length(), text, false);
	}

}
