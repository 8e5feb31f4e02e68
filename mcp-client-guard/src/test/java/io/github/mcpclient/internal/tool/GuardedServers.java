package io.github.mcpclient.internal.tool;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.guard.TestGuard;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.internal.support.ServerThreads.Limits;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * A catalog of servers with a guard.
 */
final class GuardedServers {

	private GuardedServers() {
	}

	static CatalogFixture of(McpServerDefinition... servers) {
		return with(TestToolSettings.DEFAULTS, servers);
	}

	/**
	 * Guard servers, with the filter of these settings.
	 */
	static CatalogFixture with(ToolSettings settings, McpServerDefinition... servers) {
		VirtualTimeScheduler time = VirtualTimeScheduler.create();
		ServerThreads threads = new ServerThreads("test", new Limits(2, 10), Runnable::run, time);
		return new CatalogFixture(
				TestToolSettings.customized(settings.filter(), TestGuard.of(null, false, threads, time), threads, time),
				servers);
	}

}
