package io.github.mcpclient.guard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.internal.support.LogLimit;
import io.github.mcpclient.management.McpToolPin;
import io.github.mcpclient.management.McpToolPin.State;
import io.github.mcpclient.spi.McpToolPinStore.ApprovedTool;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * The tools that one server lists, together with its approved tools. Safe for use by many
 * threads, none of which waits for another that compares.
 */
final class ServerPins {

	// the definitions of a tool that a server lists for users, who may see different ones
	private static final int MAX_VARIANTS = 4;

	private static final int MAX_NAMED = 5;

	private static final String TOO_DEEP = "more than " + CanonicalJson.MAX_LEVELS + " levels";

	private final int maxTools;

	private final LogLimit reports;

	// the hashes, the oldest first
	private final Set<String> reported = new LinkedHashSet<>();

	private final AtomicBoolean retries = new AtomicBoolean();

	private final AtomicReference<Compared> compared = new AtomicReference<>(new Compared(null, Map.of()));

	private final AtomicLong latest = new AtomicLong();

	/**
	 * Create an instance for a server with at most the given number of tools.
	 */
	ServerPins(int maxTools, LogLimit reports) {
		this.maxTools = maxTools;
		this.reports = reports;
	}

	Compared compared() {
		return Objects.requireNonNull(this.compared.get());
	}

	/**
	 * Whether the approved tools will be read again.
	 */
	AtomicBoolean retries() {
		return this.retries;
	}

	LogLimit reports() {
		return this.reports;
	}

	/**
	 * Compare the tools of a listing with the approved ones.
	 * @param order of the listing: an older one does not replace a later one
	 * @param forUser whether the server may list other tools for other users
	 * @return whether the approval of tools that others list has changed
	 */
	boolean listed(long order, boolean forUser, List<Tool> tools, Approved approved) {
		long latest = this.latest.accumulateAndGet(order, Math::max);
		return (forUser || order == latest) && compare(tools, forUser, approved);
	}

	/**
	 * Compare the currently listed tools with the approved ones.
	 */
	void approved(Approved approved) {
		compare(List.of(), true, approved);
	}

	private boolean compare(List<Tool> tools, boolean others, Approved approved) {
		Compared before;
		Compared next;
		do {
			before = compared();
			Map<String, List<Tool>> all = new LinkedHashMap<>();
			Stream.concat(tools.stream(), others ? before.all().map(ComparedTool::tool) : Stream.empty())
				.forEach((tool) -> add(tool, all));
			Map<String, List<ComparedTool>> result = new LinkedHashMap<>();
			all.forEach((name, variants) -> result.put(name,
					variants.stream().map((tool) -> new ComparedTool(tool, approved.compare(tool))).toList()));
			next = new Compared(approved.failure(), Collections.unmodifiableMap(result));
		}
		while (!next.equals(before) && !this.compared.compareAndSet(before, next));
		return others && before.differs(next);
	}

	private void add(Tool tool, Map<String, List<Tool>> all) {
		if (all.size() < this.maxTools || all.containsKey(tool.name())) {
			List<Tool> variants = all.computeIfAbsent(tool.name(), (name) -> new ArrayList<>());
			if (variants.size() < MAX_VARIANTS && !variants.contains(tool)) {
				variants.add(tool);
			}
		}
	}

	/**
	 * Return the tools that are not approved, each definition once.
	 */
	List<McpToolPin> unreported() {
		synchronized (this.reported) {
			Compared compared = compared();
			return (compared.failure() == null) ? compared.pins().stream().filter(this::report).toList() : List.of();
		}
	}

	private boolean report(McpToolPin pin) {
		if (pin.state() == State.APPROVED || !this.reported.add((pin.hash() != null) ? pin.hash() : pin.tool())) {
			return false;
		}
		if (this.reported.size() > MAX_VARIANTS * this.maxTools) {
			this.reported.remove(this.reported.iterator().next());
		}
		return true;
	}

	/**
	 * Return the difference of a definition, in parentheses after a space: that it is
	 * new, or the changed fields; empty if they are unknown.
	 */
	static String problem(McpToolPin pin) {
		return switch (pin.state()) {
			case NEW -> " (new)";
			case UNKNOWN -> " (" + TOO_DEEP + ")";
			default -> fields(pin);
		};
	}

	private static String fields(McpToolPin pin) {
		String fields = pin.changes()
			.stream()
			.map((change) -> change.field().isEmpty() ? change.listed() : change.field().substring(1))
			.limit(MAX_NAMED)
			.collect(Collectors.joining(", "));
		String more = (pin.changes().size() > MAX_NAMED) ? " and more)" : ")";
		return fields.isEmpty() ? "" : " (" + fields + more;
	}

	/**
	 * The approved tools by name, or why they are unknown.
	 */
	record Approved(Map<String, ApprovedTool> tools, @Nullable String failure, UnaryOperator<String> masking) {

		static Approved of(Collection<ApprovedTool> tools, UnaryOperator<String> masking) {
			return new Approved(
					tools.stream()
						.collect(Collectors.toMap(ApprovedTool::name, Function.identity(), (first, last) -> last)),
					null, masking);
		}

		static Approved unknown(String failure) {
			return new Approved(Map.of(), failure, UnaryOperator.identity());
		}

		private McpToolPin compare(Tool tool) {
			return (this.failure == null) ? PinnedDefinition.compare(tool, this.tools.get(tool.name()), this.masking)
					: new McpToolPin(tool.name(), State.UNKNOWN, null, null, List.of());
		}

	}

	/**
	 * The result of the latest comparison.
	 *
	 * @param failure why the approved tools are unknown, or {@code null}
	 * @param tools the listed tools, by name
	 */
	record Compared(@Nullable String failure, Map<String, List<ComparedTool>> tools) {

		/**
		 * Return why a tool is excluded if tools without an approval are blocked, or
		 * {@code null} if it is not excluded.
		 */
		@Nullable String refusal(Tool tool) {
			String reason = variants(tool.name()).filter((known) -> known.tool().equals(tool))
				.map((known) -> known.isApproved() ? "" : reason(known.pin()))
				.findFirst()
				.orElse("its definition was not compared with the approved one yet");
			return reason.isEmpty() ? null : "tools.pinning is block, and " + reason;
		}

		private String reason(McpToolPin pin) {
			if (pin.state() == State.UNKNOWN) {
				return (this.failure != null) ? this.failure : "its definition cannot be compared: " + TOO_DEEP;
			}
			return (pin.state() != State.NEW) ? "its definition has changed since it was approved" + fields(pin)
					: "it was never approved";
		}

		/**
		 * Return the tool whose definition has a hash, or {@code null}.
		 */
		@Nullable Tool find(String name, String hash) {
			return variants(name).filter((known) -> hash.equals(known.pin().hash()))
				.map(ComparedTool::tool)
				.findFirst()
				.orElse(null);
		}

		private boolean differs(Compared next) {
			return all().anyMatch((known) -> next.variants(known.pin().tool())
				.anyMatch((now) -> now.tool().equals(known.tool()) && now.isApproved() != known.isApproved()));
		}

		List<Tool> listed() {
			return all().map(ComparedTool::tool).toList();
		}

		List<McpToolPin> pins() {
			return all().map(ComparedTool::pin).toList();
		}

		private Stream<ComparedTool> variants(String name) {
			return this.tools.getOrDefault(name, List.of()).stream();
		}

		private Stream<ComparedTool> all() {
			return this.tools.values().stream().flatMap(List::stream);
		}

	}

	/**
	 * A tool and its state.
	 */
	record ComparedTool(Tool tool, McpToolPin pin) {

		private boolean isApproved() {
			return this.pin.state() == State.APPROVED;
		}

	}

}
