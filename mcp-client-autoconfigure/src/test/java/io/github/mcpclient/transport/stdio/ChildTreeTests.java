package io.github.mcpclient.transport.stdio;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.BDDMockito;
import org.mockito.InOrder;
import org.mockito.Mockito;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChildTree} and {@link ProcessTable}, beside those with real children
 * in {@link StdioTransportTests}.
 */
class ChildTreeTests {

	/**
	 * No system has as many processes.
	 */
	private static final long NOBODY = Integer.MAX_VALUE;

	private final Logger logger = (Logger) LoggerFactory.getLogger(ChildTree.class);

	private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

	@BeforeEach
	void follow() {
		this.appender.start();
		this.logger.addAppender(this.appender);
		this.logger.setAdditive(false);
	}

	@AfterEach
	void unfollow() {
		this.logger.detachAppender(this.appender);
		this.logger.setAdditive(true);
	}

	@Test
	void whatCannotBeKilledIsToldOf() {
		ProcessHandle handle = Mockito.mock(ProcessHandle.class);
		BDDMockito.given(handle.isAlive()).willReturn(true);
		BDDMockito.given(handle.pid()).willReturn(NOBODY);
		Runnable closeInput = Mockito.mock(Runnable.class);
		tree(handle).stop(closeInput,
				new ChildTree.Patience(Duration.ofMillis(100), Duration.ofMillis(100), Duration.ofMillis(100)));
		InOrder order = Mockito.inOrder(closeInput, handle);
		order.verify(closeInput).run();
		order.verify(handle).destroy();
		order.verify(handle, Mockito.times(2)).destroyForcibly();
		assertThat(warnings()).containsExactly("Processes of MCP server 'x' did not end in time: they were killed, "
				+ "and 1 may be left: [2147483647]");
	}

	@Test
	void aProcessThatEndsIsNotToldOf() {
		ProcessHandle handle = Mockito.mock(ProcessHandle.class);
		BDDMockito.given(handle.isAlive()).willReturn(true);
		BDDMockito.given(handle.pid()).willReturn(NOBODY);
		BDDMockito.given(handle.destroyForcibly()).will((kill) -> {
			BDDMockito.given(handle.isAlive()).willReturn(false);
			return true;
		});
		tree(handle).kill();
		assertThat(warnings()).isEmpty();
	}

	@Test
	void whoHasTheNumberOfOneThatEndedIsNoRelative() {
		ProcessHandle other = Mockito.mock(ProcessHandle.class);
		BDDMockito.given(other.pid()).willReturn(ProcessHandle.current().pid());
		ProcessTable table = ProcessTable.read().join();
		assertThat(table.family(Set.of(other), "no such marker")).isEmpty();
		assertThat(table.family(Set.of(ProcessHandle.current()), "no such marker")).contains(ProcessHandle.current());
	}

	private List<String> warnings() {
		return new ArrayList<>(this.appender.list).stream()
			.filter((event) -> event.getLevel() == Level.WARN)
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

	private static ChildTree tree(ProcessHandle handle) {
		Process process = Mockito.mock(Process.class);
		BDDMockito.given(process.toHandle()).willReturn(handle);
		return new ChildTree("x", process, "no such marker", System::nanoTime);
	}

}
