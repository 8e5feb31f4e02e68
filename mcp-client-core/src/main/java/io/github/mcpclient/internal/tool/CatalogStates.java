package io.github.mcpclient.internal.tool;

import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.internal.naming.ToolNaming;
import org.jspecify.annotations.Nullable;

/**
 * Holds the current state of a catalog. Thread-safe.
 */
final class CatalogStates {

	private final Function<ToolEntry, McpTool> handles;

	private final BiConsumer<CatalogChange, CatalogState> observer;

	private final Lock lock = new ReentrantLock();

	private volatile CatalogState state;

	/**
	 * Create an instance that begins with an empty state.
	 * @param naming names tools
	 * @param handles creates the tool of an entry
	 * @param observer receives each change, in order, and must not block
	 */
	CatalogStates(ToolNaming naming, Function<ToolEntry, McpTool> handles,
			BiConsumer<CatalogChange, CatalogState> observer) {
		this.state = CatalogState.empty(naming);
		this.handles = handles;
		this.observer = observer;
	}

	CatalogState now() {
		return this.state;
	}

	/**
	 * Make a change outside of the lock, since naming and customizing call code of the
	 * application, and repeat it if another change was made first.
	 * @param listener receives the changes, in order, and must not block
	 */
	void change(Consumer<CatalogChange> steps, @Nullable String serverName,
			Consumer<List<McpToolsChangedEvent>> listener) {
		CatalogChange change;
		do {
			change = new CatalogChange(this.state);
			steps.accept(change);
		}
		while (!change.changedServers().isEmpty() && !publish(change, serverName, listener));
	}

	private boolean publish(CatalogChange change, @Nullable String serverName,
			Consumer<List<McpToolsChangedEvent>> listener) {
		this.lock.lock();
		try {
			if (this.state != change.before()) {
				return false;
			}
			CatalogState after = change.apply(this::handle);
			this.state = after;
			this.observer.accept(change, after);
			List<McpToolsChangedEvent> changes = change.changes(after, serverName);
			if (!changes.isEmpty()) {
				listener.accept(changes);
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	private McpTool handle(ToolEntry entry) {
		McpTool handle = this.state.listing().tools().get(entry.name());
		return (handle != null && handle.serverName().equals(entry.serverName())) ? handle : this.handles.apply(entry);
	}

}
