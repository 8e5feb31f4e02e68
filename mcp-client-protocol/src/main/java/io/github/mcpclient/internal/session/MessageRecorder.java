package io.github.mcpclient.internal.session;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.McpServerSecrets;
import io.github.mcpclient.management.ManagedMcpServer.RecentMessage;
import io.github.mcpclient.management.ManagedMcpServer.RecentMessage.Kind;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.JsonGeneratorDelegate;
import tools.jackson.databind.json.JsonMapper;

/**
 * Shows the messages of a session as text, without secrets. This is done immediately, as
 * messages may be large: only the beginning is written, and the remaining part is
 * measured.
 */
final class MessageRecorder {

	static final int MAX_TEXT = 16 * 1024;

	private static final int MAX_NAME = 100;

	private static final Logger logger = LoggerFactory.getLogger(MessageRecorder.class);

	private static final JsonMapper mapper = JsonMapper.builder().build();

	private final String serverName;

	private final Secrets secrets;

	private final Set<String> fixedArguments;

	private final ClientScheduler scheduler;

	private final Consumer<RecentMessage> messages;

	private MessageRecorder(SessionOptions options, ClientScheduler scheduler, Consumer<RecentMessage> messages) {
		this.serverName = options.serverName();
		this.secrets = McpServerSecrets.of(options.definition());
		this.fixedArguments = McpServerSecrets.fixedArguments(options.definition());
		this.scheduler = scheduler;
		this.messages = messages;
	}

	/**
	 * Return a recorder of the messages of a session, or {@code null} if messages are not
	 * recorded.
	 */
	static @Nullable MessageRecorder of(SessionOptions options, McpSession.Listener listener,
			ClientScheduler scheduler) {
		Consumer<RecentMessage> messages = listener.recorder();
		return (messages != null) ? new MessageRecorder(options, scheduler, messages) : null;
	}

	/**
	 * Record a message. Does not fail.
	 * @param method the method of the request that a response belongs to, if known
	 */
	void record(boolean sent, JSONRPCMessage message, @Nullable String method) {
		try {
			if (message instanceof JSONRPCRequest request) {
				record(sent, Kind.REQUEST, request.method(), request.id(), withoutFixed(request));
			}
			else if (message instanceof JSONRPCNotification notification) {
				record(sent, Kind.NOTIFICATION, notification.method(), null, notification);
			}
			else if (message instanceof JSONRPCResponse response) {
				record(sent, (response.error() != null) ? Kind.ERROR : Kind.RESPONSE, method, response.id(),
						withoutFailure(response));
			}
		}
		catch (RuntimeException ex) {
			logger.debug("A message of MCP server '{}' was not recorded", this.serverName, ex);
		}
	}

	private void record(boolean sent, Kind kind, @Nullable String method, @Nullable Object id, JSONRPCMessage message) {
		Head head = new Head();
		boolean complete = write(message, head);
		String text = this.secrets.start(head.text(), MAX_TEXT, !complete);
		this.messages.accept(new RecentMessage(0, this.scheduler.instant(), sent, kind, name(method), name(id),
				head.size, text, !complete));
	}

	private boolean write(JSONRPCMessage message, Head head) {
		try (JsonGenerator json = new HeadGenerator(mapper.createGenerator(head), head, this.secrets)) {
			mapper.writeValue(json, message);
		}
		catch (RuntimeException ex) {
			// a custom transport may use types that only it can write
			logger.debug("A message of MCP server '{}' is recorded in part", this.serverName, ex);
			return false;
		}
		return !head.cut;
	}

	private @Nullable String name(@Nullable Object name) {
		return (name instanceof String text) ? this.secrets.line(text, MAX_NAME)
				: (name != null) ? String.valueOf(name) : null;
	}

	// of any type, and of any tool that they are fixed for
	private JSONRPCRequest withoutFixed(JSONRPCRequest request) {
		if (this.fixedArguments.isEmpty() || !McpSchema.METHOD_TOOLS_CALL.equals(request.method())) {
			return request;
		}
		Object params = request.params();
		if (params instanceof CallToolRequest call && call.arguments() != null) {
			params = new CallToolRequest(call.name(), withoutFixed(call.arguments()), call.meta());
		}
		else if (params instanceof Map<?, ?> map && map.get("arguments") instanceof Map<?, ?> arguments) {
			Map<String, Object> copy = new LinkedHashMap<>(Json.object(map));
			copy.put("arguments", withoutFixed(Json.object(arguments)));
			params = copy;
		}
		return new JSONRPCRequest(request.method(), request.id(), params);
	}

	private Map<String, Object> withoutFixed(Map<String, Object> arguments) {
		Map<String, Object> copy = new LinkedHashMap<>(arguments);
		copy.replaceAll((name, value) -> this.fixedArguments.contains(name) ? Secrets.MASK : value);
		return copy;
	}

	// the error of a transport that could not read a response carries its failure
	private static JSONRPCResponse withoutFailure(JSONRPCResponse response) {
		JSONRPCError error = response.error();
		return (error != null && error.data() instanceof Throwable)
				? JSONRPCResponse.error(response.id(), new JSONRPCError(error.code(), error.message())) : response;
	}

	/**
	 * The beginning of a text in UTF-8, and its size.
	 */
	private static final class Head extends OutputStream {

		private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);

		private long size;

		private boolean cut;

		@Override
		public void write(int b) {
			write(new byte[] { (byte) b }, 0, 1);
		}

		@Override
		public void write(byte[] bytes, int offset, int length) {
			int kept = this.cut ? 0 : Math.min(length, MAX_TEXT - this.bytes.size());
			this.bytes.write(bytes, offset, kept);
			this.size += length;
			this.cut |= kept < length;
		}

		int room(int buffered) {
			return this.cut ? 0 : Math.max(MAX_TEXT - this.bytes.size() - buffered, 0);
		}

		String text() {
			byte[] utf8 = this.bytes.toByteArray();
			int end = utf8.length;
			if (this.cut) {
				// a character that was cut, of which there are the first byte and others
				while (end > 0 && (utf8[end - 1] & 0xC0) == 0x80) {
					end--;
				}
				end -= (end > 0 && utf8[end - 1] < 0) ? 1 : 0;
			}
			return new String(utf8, 0, end, StandardCharsets.UTF_8);
		}

	}

	/**
	 * Masks strings, and writes just the beginning of one that is too long for the head.
	 */
	private static final class HeadGenerator extends JsonGeneratorDelegate {

		private final Head head;

		private final Secrets secrets;

		HeadGenerator(JsonGenerator json, Head head, Secrets secrets) {
			super(json, false);
			this.head = head;
			this.secrets = secrets;
		}

		@Override
		public JsonGenerator writeString(@Nullable String text) {
			int room = this.head.room(streamWriteOutputBuffered());
			if (text == null || text.length() <= room) {
				return super.writeString((text != null) ? this.secrets.mask(text) : null);
			}
			String start = this.secrets.start(text, room, false);
			super.writeString(start);
			flush();
			this.head.cut = true;
			this.head.size += ByteBufUtil.utf8Bytes(text) - ByteBufUtil.utf8Bytes(start);
			return this;
		}

	}

}
