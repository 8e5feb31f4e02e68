package io.github.mcpclient.observation;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.observation.McpClientObservationContext.Outcome;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * The tags of the latest successful call of a tool, and their meters, which the next call
 * usually has as well. Safe for use by many threads.
 */
final class ToolTags {

	private volatile @Nullable Latest latest;

	private final AtomicReference<OperationMeters.@Nullable Known<LongTaskTimer>> active = new AtomicReference<>();

	private final AtomicReference<OperationMeters.@Nullable Known<Timer>> ended = new AtomicReference<>();

	/**
	 * Return the same instance for the same outcome, so that callers can compare by
	 * identity.
	 */
	KeyValues of(McpServerDefinition server, Outcome outcome, Supplier<KeyValues> tags) {
		Latest latest = this.latest;
		if (latest != null && latest.server == server && latest.hasTagsOf(outcome)) {
			return latest.tags;
		}
		KeyValues created = tags.get();
		if (outcome.errorType() == null && outcome.statusCode() == null) {
			this.latest = new Latest(server, outcome.protocolVersion(), outcome.networkProtocolVersion(), outcome.tag(),
					created);
		}
		return created;
	}

	AtomicReference<OperationMeters.@Nullable Known<LongTaskTimer>> active() {
		return this.active;
	}

	AtomicReference<OperationMeters.@Nullable Known<Timer>> ended() {
		return this.ended;
	}

	// of a successful outcome, without the result, which is not a tag
	private record Latest(McpServerDefinition server, @Nullable String protocolVersion,
			@Nullable String networkProtocolVersion, @Nullable String tag, KeyValues tags) {

		boolean hasTagsOf(Outcome outcome) {
			return outcome.errorType() == null && outcome.statusCode() == null
					&& Objects.equals(this.tag, outcome.tag())
					&& Objects.equals(this.protocolVersion, outcome.protocolVersion())
					&& Objects.equals(this.networkProtocolVersion, outcome.networkProtocolVersion());
		}

	}

}
