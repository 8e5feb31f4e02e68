package io.github.mcpclient.tool;

import java.lang.ref.WeakReference;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * As what a server sees a call. Holds neither the server nor its tools, as it may be kept
 * for longer.
 */
final class CallIdentity {

	private final WeakReference<ToolEntry> tool;

	private final WeakReference<Object> listing;

	private final @Nullable Object authorization;

	private final int hash;

	private CallIdentity(ToolEntry tool, Object listing, @Nullable Object authorization) {
		this.tool = new WeakReference<>(tool);
		this.listing = new WeakReference<>(listing);
		this.authorization = authorization;
		this.hash = System.identityHashCode(tool) + Objects.hashCode(authorization);
	}

	/**
	 * Return that of a call with this context, or {@code null} where the server of the
	 * tool has another connection now, or none.
	 */
	static @Nullable CallIdentity of(CalledTool tool, ToolEntry entry, ContextView context) {
		Object listing = tool.listing(entry);
		return (listing != null) ? new CallIdentity(entry, listing, entry.connection().authorization(context)) : null;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || (other instanceof CallIdentity identity && refersToSame(this.tool, identity.tool)
				&& refersToSame(this.listing, identity.listing)
				&& Objects.equals(this.authorization, identity.authorization));
	}

	private static <T> boolean refersToSame(WeakReference<T> one, WeakReference<T> other) {
		T value = one.get();
		return value != null && other.refersTo(value);
	}

	@Override
	public int hashCode() {
		return this.hash;
	}

	@Override
	public String toString() {
		return "CallIdentity";
	}

}
