package io.github.mcpclient.session;

import java.util.List;

import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.jspecify.annotations.Nullable;

/**
 * Notified of what a server sends unasked. Called on a transport's thread: must not
 * block.
 */
public interface SessionListener {

	/**
	 * The server sent a message of whatever kind, which was not looked at yet.
	 */
	void messageReceived();

	/**
	 * The server announced that one of its lists has changed; resources stand for
	 * resource templates, too.
	 */
	void listChanged(ItemKind<?> kind);

	/**
	 * A list of the server is about to be delivered, without the items that cannot be
	 * used.
	 */
	void excluded(String kind, List<ExcludedItem> excluded);

	/**
	 * The server sent a log message, whose text is sanitized.
	 */
	void log(LoggingLevel level, @Nullable String logger, String text);

}
