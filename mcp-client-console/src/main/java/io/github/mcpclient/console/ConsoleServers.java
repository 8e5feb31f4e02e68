package io.github.mcpclient.console;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.actuate.McpEndpoint;
import io.github.mcpclient.actuate.McpEndpoint.ActionDescriptor;
import io.github.mcpclient.actuate.McpEndpoint.DiagnosisDescriptor;
import io.github.mcpclient.actuate.McpServerDetailsDescriptor;
import io.github.mcpclient.actuate.McpServerDetailsDescriptor.ToolView;
import io.github.mcpclient.declared.McpToolClientSource;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.ManagedMcpServer.RecentMessage;
import io.github.mcpclient.management.McpServerManager;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.http.HttpStatus;
import org.springframework.util.ClassUtils;

/**
 * The views of servers and the actions on them, from Actuator.
 */
record ConsoleServers(McpServerManager manager, McpEndpoint endpoint, ServerFeed feed) {

	static final boolean DECLARED = ClassUtils.isPresent("io.github.mcpclient.declared.McpToolClientSource", null);

	ManagedMcpServer find(String name) {
		try {
			return this.manager.server(name);
		}
		catch (NoSuchMcpServerException ex) {
			throw new ConsoleException(HttpStatus.NOT_FOUND, ex.getMessage());
		}
	}

	Servers all() {
		return new Servers(this.feed.now(), this.feed.rows());
	}

	Details details(String name) {
		ManagedMcpServer server = find(name);
		return new Details(server.name(), Objects.requireNonNull(this.endpoint.server(name)));
	}

	/**
	 * Return a declared client for the tools of a server, or for one of them.
	 */
	ClientSource source(String name, @Nullable String tool) {
		List<ToolView> tools = details(name).details()
			.tools()
			.stream()
			.filter((view) -> tool == null || view.originalName().equals(tool))
			.toList();
		if (!DECLARED || tools.isEmpty()) {
			throw new ConsoleException(HttpStatus.NOT_FOUND,
					DECLARED ? "The server does not list that now." : "Add mcp-client-declared to the application.");
		}
		return ClientSource.of(name, tools);
	}

	Messages messages(String name, long after) {
		ManagedMcpServer server = find(name);
		List<RecentMessage> messages = server.recentMessages(Math.max(after - 1, 0));
		if (messages.isEmpty()) {
			// the page has messages of an earlier run, or of a server that was removed
			return Messages.after(0, server.recentMessages(0));
		}
		return Messages.after(after, messages);
	}

	Mono<ActionResult> act(ManagedMcpServer server, ActionRequest request) {
		Map<String, String> tools = request.tools();
		Mono<ActionDescriptor> done = ("approve".equals(request.action()) && tools != null)
				? this.endpoint.approve(server.name(), tools)
				: this.endpoint.act(server.name(), request.action(), null, null);
		return done
			.onErrorMap(InvalidEndpointRequestException.class,
					(ex) -> new ConsoleException(HttpStatus.BAD_REQUEST, ex.getMessage()))
			.onErrorMap(IllegalArgumentException.class,
					(ex) -> new ConsoleException(HttpStatus.CONFLICT, ex.getMessage()))
			.map((action) -> new ActionResult(this.feed.row(server), action.error()));
	}

	Mono<Reloaded> reload() {
		return this.endpoint.reload("reload")
			.onErrorMap(IllegalStateException.class, (ex) -> new ConsoleException(HttpStatus.CONFLICT, ex.getMessage()))
			.map((done) -> new Reloaded((done.failure() != null) ? done.failure().error().lines().findFirst().orElse("")
					: String.valueOf(done.changes())));
	}

	Mono<DiagnosisDescriptor> diagnose(ManagedMcpServer server) {
		return this.endpoint.diagnose(server.name());
	}

	/**
	 * An action that a user requests.
	 *
	 * @param tools the tools to approve: the hash of each, by its name at the server
	 */
	record ActionRequest(@Nullable String action, @Nullable Map<String, String> tools) {

	}

	@JsonInclude(Include.NON_NULL)
	record ActionResult(ServerRow server, @Nullable String error) {
	}

	/**
	 * The changes of a reload, or a summary of its failure.
	 */
	record Reloaded(String text) {
	}

	record Servers(Instant time, Collection<ServerRow> servers) {
	}

	record Details(String name, @JsonUnwrapped McpServerDetailsDescriptor details) {
	}

	/**
	 * Java source, in which secrets that the server repeats are masked.
	 */
	record ClientSource(String typeName, String source) {

		static ClientSource of(String server, List<ToolView> tools) {
			McpToolClientSource source = McpToolClientSource.of(server,
					tools.stream()
						.map((tool) -> new Tool(tool.originalName(), tool.title(), tool.description(),
								tool.inputSchema(), tool.outputSchema(), null, null, null))
						.toList());
			return new ClientSource(source.typeName(), source.text());
		}

	}

	record Messages(long latest, List<MessageView> messages) {

		static Messages after(long sequence, List<RecentMessage> messages) {
			return new Messages(messages.isEmpty() ? 0 : messages.get(messages.size() - 1).sequence(),
					messages.stream().filter((message) -> message.sequence() > sequence).map(MessageView::of).toList());
		}

	}

	@JsonInclude(Include.NON_NULL)
	record MessageView(long seq, Instant time, String direction, String kind, @Nullable String method,
			@Nullable String id, long size, String text, @Nullable Boolean truncated) {

		static MessageView of(RecentMessage message) {
			return new MessageView(message.sequence(), message.time(), message.sent() ? "sent" : "received",
					message.kind().name().toLowerCase(Locale.ROOT), message.method(), message.id(), message.size(),
					message.text(), message.truncated() ? true : null);
		}

	}

}
