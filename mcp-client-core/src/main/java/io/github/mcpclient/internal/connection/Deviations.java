package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.Deadline;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.Printable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The deviations of a server from the protocol, with a few details of each kind: the
 * first one of each kind is logged, and all are counted. Outlives sessions. Thread-safe.
 */
final class Deviations {

	static final int MOST_OF_A_KIND = 5;

	private static final int LONGEST_DETAIL = 300;

	private static final String OTHERS = "others of this kind";

	// the kinds by which a response may be lost
	private static final Set<Kind> LOSSES = EnumSet.of(Kind.ENCODING, Kind.STDOUT, Kind.UNKNOWN_ID);

	private static final Logger logger = LoggerFactory.getLogger(ConnectionContext.LOGGER);

	private final ErrorWording wording;

	private final ClientScheduler time;

	// by the observed behavior, as it was reported
	private final Map<Kind, Map<String, McpServerDeviation>> kinds = new ConcurrentHashMap<>();

	Deviations(ErrorWording wording, ClientScheduler time) {
		this.wording = wording;
		this.time = time;
	}

	void add(Kind kind, String detail) {
		String seen = Printable.cut(detail, LONGEST_DETAIL);
		Map<String, McpServerDeviation> known = this.kinds.computeIfAbsent(kind, (key) -> new ConcurrentHashMap<>());
		boolean first = known.isEmpty();
		boolean more = !known.containsKey(seen) && known.size() >= MOST_OF_A_KIND;
		String key = more ? OTHERS : seen;
		Instant now = this.time.instant();
		McpServerDeviation deviation = known.compute(key, (same, last) -> {
			String shown = (last != null && !more) ? last.detail()
					: Printable.cut(this.wording.line(more ? OTHERS + ", such as " + detail : detail), LONGEST_DETAIL);
			return new McpServerDeviation(kind, shown, (last != null) ? last.count() + 1 : 1,
					(last != null) ? last.firstSeen() : now, now);
		});
		if (deviation.count() == 1) {
			LogKeys.line(logger, first ? Level.WARN : Level.DEBUG, this.wording.serverName())
				.log("{} {}: {}. {} The operator of the server should correct it; this is logged once for each kind.",
						this.wording.server(), kind.summary(), deviation.detail(), kind.handling());
		}
	}

	/**
	 * Describe in brackets how the server may have lost a response within the given time;
	 * empty if there is no such deviation.
	 */
	String meanwhile(Duration time) {
		Instant begin = this.time.instant().minus(Deadline.atMostForever(time));
		return list().stream()
			.filter((deviation) -> LOSSES.contains(deviation.kind()) && !deviation.lastSeen().isBefore(begin))
			.max(Comparator.comparing(McpServerDeviation::lastSeen))
			.map((latest) -> " (during this time, the server " + latest.kind().summary() + ", " + count(latest.kind())
					+ " in total, the latest: " + latest.detail() + ")")
			.orElse("");
	}

	private long count(Kind kind) {
		return list().stream().mapToLong((deviation) -> (deviation.kind() == kind) ? deviation.count() : 0).sum();
	}

	List<McpServerDeviation> list() {
		return this.kinds.values()
			.stream()
			.flatMap((known) -> known.values().stream())
			.sorted(Comparator.comparing(McpServerDeviation::firstSeen))
			.toList();
	}

	int size() {
		return this.kinds.values().stream().mapToInt(Map::size).sum();
	}

}
