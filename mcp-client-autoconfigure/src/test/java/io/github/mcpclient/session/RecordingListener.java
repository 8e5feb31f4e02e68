package io.github.mcpclient.session;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;

/**
 * A {@link SessionListener} that keeps what it is told.
 */
public class RecordingListener implements SessionListener {

	private final AtomicInteger listChanges = new AtomicInteger();

	private final AtomicInteger promptListChanges = new AtomicInteger();

	private final AtomicInteger resourceListChanges = new AtomicInteger();

	private final List<LogMessage> logMessages = new CopyOnWriteArrayList<>();

	private final Map<String, List<ExcludedItem>> excluded = new ConcurrentHashMap<>();

	private final AtomicInteger messages = new AtomicInteger();

	@Override
	public void messageReceived() {
		this.messages.incrementAndGet();
	}

	int messages() {
		return this.messages.get();
	}

	@Override
	public void toolsListChanged() {
		this.listChanges.incrementAndGet();
	}

	@Override
	public void promptsListChanged() {
		this.promptListChanges.incrementAndGet();
	}

	@Override
	public void resourcesListChanged() {
		this.resourceListChanges.incrementAndGet();
	}

	@Override
	public void excluded(String kind, List<ExcludedItem> excluded) {
		this.excluded.put(kind, excluded);
	}

	Map<String, List<ExcludedItem>> excluded() {
		return this.excluded;
	}

	@Override
	public void log(LoggingLevel level, String logger, String text) {
		this.logMessages.add(new LogMessage(level, logger, text));
	}

	public int listChanges() {
		return this.listChanges.get();
	}

	public int promptListChanges() {
		return this.promptListChanges.get();
	}

	public int resourceListChanges() {
		return this.resourceListChanges.get();
	}

	public List<LogMessage> logMessages() {
		return this.logMessages;
	}

	public record LogMessage(LoggingLevel level, String logger, String text) {

	}

}
