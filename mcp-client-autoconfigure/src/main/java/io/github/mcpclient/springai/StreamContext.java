package io.github.mcpclient.springai;

import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;
import org.springframework.util.ClassUtils;

/**
 * The Reactor context of who subscribed to the stream of a {@code ChatClient}, which
 * calls tools on a thread that may block. Spring AI keeps it for its own tools, in a
 * class that is internal, so that another version may be without it.
 */
final class StreamContext {

	private static final boolean KEPT = ClassUtils.isPresent(
			"org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder",
			StreamContext.class.getClassLoader());

	private StreamContext() {
	}

	/**
	 * Return the context of the stream for which this thread calls a tool.
	 * @return the context; empty where there is no stream
	 */
	static ContextView get() {
		return KEPT ? ToolCallReactiveContextHolder.getContext() : Context.empty();
	}

}
