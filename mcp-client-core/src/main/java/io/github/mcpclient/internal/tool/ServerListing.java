package io.github.mcpclient.internal.tool;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.internal.naming.ToolFilter;
import io.github.mcpclient.internal.naming.ToolNames;
import io.github.mcpclient.spi.McpToolListingCustomizer.Listing;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.util.Assert;

/**
 * The listing of a server over a connection, with the additions and results of
 * customizers. Thread-safe.
 */
final class ServerListing implements Listing {

	private final ToolServer server;

	private final boolean forUser;

	private final List<Tool> listed;

	private final Set<String> capabilities;

	private final Supplier<Mono<Void>> again;

	private final int revision;

	private volatile Object identity = new Object();

	// customizers are called once for a tool, in advance, on threads where they may block
	private final Map<ToolNames, CustomizedTool> customized = new ConcurrentHashMap<>();

	private final Map<Collection<String>, ToolFilter> filters = new ConcurrentHashMap<>();

	private final Map<String, Function<McpToolRequest, Mono<CallToolResult>>> answers = new ConcurrentHashMap<>();

	private final List<Exclusion> notAdded = new CopyOnWriteArrayList<>();

	private volatile List<Tool> tools;

	// equal to the listed tools
	private volatile List<Tool> latest;

	private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.NEW);

	private volatile @Nullable String failure;

	/**
	 * Create a listing for which customizers have not prepared.
	 * @param forUser whether it is the listing of one user
	 * @param listed the tools that the server has listed
	 * @param capabilities the capabilities of the server
	 * @param again calls the customizers again
	 */
	ServerListing(ToolServer server, boolean forUser, List<Tool> listed, Set<String> capabilities,
			Supplier<Mono<Void>> again) {
		this.server = server;
		this.forUser = forUser;
		this.listed = List.copyOf(listed);
		this.tools = this.listed;
		this.latest = this.listed;
		this.capabilities = capabilities;
		this.again = again;
		this.revision = server.scope().revision().get();
	}

	/**
	 * Return the listing of a server that has listed no tools for all users, but may list
	 * tools for each user.
	 */
	static ServerListing none(ToolServer server) {
		return new ServerListing(server, false, List.of(), Set.of(),
				() -> Mono.fromRunnable(server.scope().revision()::incrementAndGet));
	}

	/**
	 * Return the listing of a server with its current definition and connection, for
	 * which customizers have to prepare.
	 */
	ServerListing with(ToolServer server, List<Tool> listed) {
		return new ServerListing(server, this.forUser, listed, this.capabilities, this.again);
	}

	/**
	 * Return the same listing, including added tools, with the current definition and
	 * connection of a server. It is used until customizers have prepared.
	 */
	ServerListing of(ToolServer server) {
		ServerListing same = with(server, this.listed);
		same.tools = this.tools;
		same.answers.putAll(this.answers);
		same.notAdded.addAll(this.notAdded);
		same.failure = this.failure;
		return same;
	}

	/**
	 * Return the same listing, for which customizers are called again.
	 */
	ServerListing renewed() {
		ServerListing renewed = of(this.server).after(this);
		renewed.phase.set(this.phase.get());
		return renewed;
	}

	/**
	 * Return {@code true} to a single caller if customizers have not prepared for this
	 * listing.
	 */
	boolean claim() {
		return this.phase.compareAndSet(Phase.NEW, Phase.PREPARED);
	}

	/**
	 * Let customizers prepare. They may add tools until all of them have completed.
	 */
	Mono<Void> preparing(List<Mono<Void>> preparations) {
		this.phase.set(Phase.PREPARING);
		return Mono.when(preparations).doOnTerminate(() -> this.phase.set(Phase.PREPARED));
	}

	/**
	 * Exclude all tools.
	 */
	void failed(String reason) {
		this.failure = reason;
		this.phase.set(Phase.PREPARED);
	}

	/**
	 * Return the result of the customizers for a tool.
	 * @param customizing calls the customizers
	 */
	CustomizedTool customized(ToolNames names, Tool tool, Function<ToolNames, CustomizedTool> customizing) {
		String failure = this.failure;
		if (failure != null) {
			return CustomizedTool.failed(names, tool, failure);
		}
		CustomizedTool known = this.customized.get(names);
		if (known == null || known.tool() != tool) {
			known = customizing.apply(names);
			this.customized.put(names, known);
		}
		return known;
	}

	ToolServer toolServer() {
		return this.server;
	}

	/**
	 * Return the tools that the server itself has listed.
	 */
	List<Tool> listed() {
		return this.listed;
	}

	/**
	 * Return whether these are the tools that were listed.
	 */
	boolean isOf(List<Tool> tools) {
		boolean same = tools == this.latest || this.listed.equals(tools);
		this.latest = same ? tools : this.latest;
		return same;
	}

	/**
	 * Continue another listing of the same tools, with the same definition, so that
	 * cached results of calls remain valid.
	 */
	ServerListing after(ServerListing other) {
		this.identity = other.identity;
		return this;
	}

	/**
	 * Return an object that represents only this listing, without references to it.
	 */
	Object identity() {
		return this.identity;
	}

	/**
	 * Return whether customizers have not requested to be called again since.
	 */
	boolean isCurrent() {
		return this.revision == this.server.scope().revision().get();
	}

	/**
	 * Return the tools that customizers could not add.
	 */
	List<Exclusion> notAdded() {
		return this.notAdded;
	}

	/**
	 * Return the handler of the calls of an added tool.
	 */
	@Nullable Function<McpToolRequest, Mono<CallToolResult>> answer(Tool tool) {
		return this.answers.get(tool.name());
	}

	ToolFilter filter(Collection<String> patterns) {
		return this.filters.computeIfAbsent(patterns, (added) -> ToolFilter.of("", added));
	}

	@Override
	public McpServer server() {
		return this.server.scope().server();
	}

	@Override
	public McpServerDefinition definition() {
		return this.server.definition();
	}

	@Override
	public List<Tool> tools() {
		return this.tools;
	}

	@Override
	public boolean hasCapability(String capability) {
		return this.capabilities.contains(capability);
	}

	@Override
	public boolean forUser() {
		return this.forUser || this.server.connection().isForUsers();
	}

	@Override
	public Object connection() {
		return this.server.connection();
	}

	@Override
	public <T> T state(Class<T> type, Supplier<? extends T> initial) {
		return this.server.scope().state(type, initial);
	}

	@Override
	public void add(String source, Tool tool, Function<McpToolRequest, Mono<CallToolResult>> answer) {
		Assert.state(this.phase.get() == Phase.PREPARING, "A tool can only be added while customizers prepare");
		if (this.listed.stream().anyMatch((other) -> other.name().equals(tool.name()))
				|| this.answers.putIfAbsent(tool.name(), answer) != null) {
			this.notAdded
				.add(new Exclusion(tool.name(), null, source + " adds none of this name: the server has one", true));
			return;
		}
		synchronized (this.answers) {
			this.tools = Stream.concat(this.tools.stream(), Stream.of(tool)).toList();
		}
	}

	@Override
	public Mono<Void> reapplyCustomizers() {
		return this.again.get();
	}

	@Override
	public void publish(McpServerEvent event) {
		this.server.scope().events().accept(event);
	}

	@Override
	public String maskSecrets(String text) {
		return this.server.connection().masked(text);
	}

	@Override
	public String toSingleLine(String text) {
		return this.server.connection().line(text);
	}

	private enum Phase {

		NEW, PREPARING, PREPARED

	}

}
