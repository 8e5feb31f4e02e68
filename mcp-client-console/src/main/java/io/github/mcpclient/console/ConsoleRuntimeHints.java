package io.github.mcpclient.console;

import io.github.mcpclient.actuate.McpEndpoint;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Hints for native images: the files of the page, and types that are read or written as
 * JSON.
 */
final class ConsoleRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern(ConsoleFiles.LOCATION + "*");
		new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), ConsoleApi.Session.class,
				ConsoleServers.Servers.class, ConsoleServers.Details.class, ConsoleServers.Messages.class,
				ConsoleServers.ClientSource.class, ConsoleServers.ActionRequest.class,
				ConsoleServers.ActionResult.class, McpEndpoint.DiagnosisDescriptor.class, ConsoleCalls.Request.class,
				ConsoleCalls.ProgressView.class, ConsoleCalls.ToolCallResult.class, ConsoleCalls.PromptResult.class,
				ConsoleCalls.ResourceResult.class, ConsoleCalls.Failure.class, ServerFeed.Change.class,
				ServerFigures.Figures.class);
	}

}
