package io.github.mcpclient.internal.registry;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.event.McpMessageListener;
import io.github.mcpclient.event.McpServerEvent;
import org.jspecify.annotations.Nullable;

/**
 * The application that the servers are for, as far as the registry knows it. It is called
 * without a lock, on threads that may block.
 */
public interface HostApplication {

	/**
	 * Publish an event.
	 */
	void publish(McpServerEvent event);

	/**
	 * Return the listeners of messages, which are looked for at the first start.
	 */
	List<McpMessageListener> listeners();

	/**
	 * Return whether events of progress are listened to.
	 */
	boolean listensToProgress();

	/**
	 * Follow the listed tools, where those of some names may have come, or others may
	 * have gone.
	 */
	void showTools(Collection<String> names, Supplier<Map<String, McpTool>> listed);

	/**
	 * Return why the application does not get a listed tool as others, or {@code null}.
	 */
	@Nullable String refusal(McpTool tool);

	/**
	 * Return whether this thread creates what the application is made of. No tool is
	 * shown meanwhile.
	 */
	boolean isInCreation();

}
