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
	 * The server announced that one of its lists has changed.
	 * @param kind what it is a list of; resources stand for resource templates, too
	 */
	void listChanged(ItemKind<?> kind);

	/**
	 * The server was asked for one of its lists, which is about to be delivered.
	 * @param kind what it is a list of, as in {@link ExcludedItem#kind()}
	 * @param excluded the items that cannot be used
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
