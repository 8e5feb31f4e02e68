package io.github.mcpclient.internal.transport.stdio;

import java.time.Duration;
import java.util.Set;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.testsupport.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.mockito.BDDMockito;
import org.mockito.InOrder;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChildTree} and {@link ProcessTable}, beside those with real children
 * in {@link StdioTransportTests}.
 */
class ChildTreeTests {

	// no system has as many processes
	private static final long NOBODY = Integer.MAX_VALUE;

	@RegisterExtension
	private final CapturedLog log = new CapturedLog(ChildTree.class);

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
		assertThat(this.log.lines(Level.WARN))
			.containsExactly("Processes of MCP server 'x' did not end in time: they were killed, "
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
		assertThat(this.log.lines(Level.WARN)).isEmpty();
	}

	@Test
	void whoHasTheNumberOfOneThatEndedIsNoRelative() {
		ProcessHandle other = Mockito.mock(ProcessHandle.class);
		BDDMockito.given(other.pid()).willReturn(ProcessHandle.current().pid());
		ProcessTable table = ProcessTable.read().join();
		assertThat(table.family(Set.of(other), "no such marker")).isEmpty();
		assertThat(table.family(Set.of(ProcessHandle.current()), "no such marker")).contains(ProcessHandle.current());
	}

	private static ChildTree tree(ProcessHandle handle) {
		Process process = Mockito.mock(Process.class);
		BDDMockito.given(process.toHandle()).willReturn(handle);
		return new ChildTree("x", process, "no such marker", System::nanoTime);
	}

}
