package io.github.mcpclient.internal.session;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;

/**
 * A {@link McpSession.Listener} that keeps what it is told.
 */
public class RecordingListener implements McpSession.Listener {

	private final List<ItemKind<?>> listChanges = new CopyOnWriteArrayList<>();

	private final List<LogMessage> logMessages = new CopyOnWriteArrayList<>();

	private final Map<String, List<ExcludedItem>> excluded = new ConcurrentHashMap<>();

	private final List<String> deviations = new CopyOnWriteArrayList<>();

	private final AtomicInteger messages = new AtomicInteger();

	@Override
	public void messageReceived() {
		this.messages.incrementAndGet();
	}

	int messages() {
		return this.messages.get();
	}

	@Override
	public void listChanged(ItemKind<?> kind) {
		this.listChanges.add(kind);
	}

	@Override
	public void excluded(String kind, List<ExcludedItem> excluded) {
		this.excluded.put(kind, excluded);
	}

	Map<String, List<ExcludedItem>> excluded() {
		return this.excluded;
	}

	@Override
	public void deviation(McpServerDeviation.Kind kind, String detail) {
		this.deviations.add(kind + " " + detail);
	}

	List<String> deviations() {
		return this.deviations;
	}

	@Override
	public void log(LoggingLevel level, String logger, String text) {
		this.logMessages.add(new LogMessage(level, logger, text));
	}

	public List<ItemKind<?>> listChanges() {
		return this.listChanges;
	}

	public List<LogMessage> logMessages() {
		return this.logMessages;
	}

	public record LogMessage(LoggingLevel level, String logger, String text) {

	}

}
