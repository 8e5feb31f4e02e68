package io.github.mcpclient.session;

import java.util.List;

import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.jspecify.annotations.Nullable;

/**
 * Told of what a server says unasked. Called on a transport's thread: must not block.
 */
public interface SessionListener {

	/**
	 * The server sent a message, of whatever kind: it lives. Told before the message is
	 * looked at.
	 */
	void messageReceived();

	/**
	 * The server says that its list of tools changed.
	 */
	void toolsListChanged();

	/**
	 * The server says that its list of prompts changed.
	 */
	void promptsListChanged();

	/**
	 * The server says that its list of resources changed, or that of templates of such.
	 */
	void resourcesListChanged();

	/**
	 * The server was asked for one of its lists. Told before the list is.
	 * @param kind what it is a list of, as in {@link ExcludedItem#kind()}
	 * @param excluded what of it cannot be used
	 */
	void excluded(String kind, List<ExcludedItem> excluded);

	/**
	 * The server sent a log message.
	 * @param level its level
	 * @param logger the name of the server's logger, or {@code null}
	 * @param text the data as text; untrusted
	 */
	void log(LoggingLevel level, @Nullable String logger, String text);

}
