package io.github.mcpclient.agent;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.agent.KeptResults.Kept;
import io.github.mcpclient.internal.model.ModelText;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.internal.support.ServerThreads.FullException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.util.Assert;

/**
 * The tool with which a model reads more of a result that was cut.
 */
final class ReadResultTool extends RoutedTool {

	static final String NAME = "read_result";

	private static final String DESCRIPTION = "Reads more of a result that was too long, if its text says so.";

	private static final String SCHEMA = """
			{"type": "object", "properties": {
			"id": {"type": "string", "description": "The ID of the result"},
			"offset": {"type": "integer", "description": "How many characters, items or members to skip"},
			"pointer": {"type": "string", "description": "For JSON: where to read, as a JSON pointer such as /items/0"}},
			"required": ["id"]}""";

	private static final String BUSY = "Too much of this server is being read at the moment. Try again later.";

	private final KeptResults results;

	private final Supplier<ServerThreads> threads;

	/**
	 * Create the tool.
	 * @param threads where results are read for callers that must not block
	 */
	ReadResultTool(KeptResults results, Supplier<ServerThreads> threads) {
		super(NAME, DESCRIPTION, SCHEMA);
		this.results = results;
		this.threads = threads;
	}

	@Override
	<R> R route(McpToolRequest request, Function<McpToolResult, R> converter,
			BiFunction<McpTool, McpToolRequest, R> call) {
		return converter.apply(answer(request, this.results.caller(request.context()).block()));
	}

	@Override
	public Mono<McpToolResult> callAsync(McpToolRequest request) {
		return Mono.deferContextual((context) -> this.results.caller(Context.of(context).putAll(request.context())))
			.flatMap((caller) -> this.threads.get().call(NAME, () -> answer(request, caller)))
			.onErrorResume(FullException.class, (full) -> Mono.just(McpToolResult.error(NAME, BUSY)))
			.switchIfEmpty(Mono.fromSupplier(() -> answer(request, null)));
	}

	private McpToolResult answer(McpToolRequest request, @Nullable String caller) {
		try {
			return McpToolResult.success(NAME, read(request, caller));
		}
		catch (IllegalArgumentException ex) {
			return McpToolResult.error(NAME, String.valueOf(ex.getMessage()));
		}
	}

	private String read(McpToolRequest request, @Nullable String caller) {
		String id = text(request, "id");
		Kept kept = (caller != null) ? this.results.find(id, caller) : null;
		if (kept == null) {
			throw new IllegalArgumentException(
					"No stored result has this ID, or it has expired. Call its tool again, and request less.");
		}
		int offset = offset(request.arguments().get("offset"));
		Object pointer = request.arguments().get("pointer");
		return (pointer == null && !kept.result().text().isEmpty()) ? text(kept.result(), offset)
				: json(kept, (pointer != null) ? pointer.toString() : "", offset);
	}

	private static int offset(@Nullable Object offset) {
		try {
			return (offset != null) ? Math.max(0, Integer.parseInt(offset.toString())) : 0;
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException(NAME + " needs an 'offset' that is a whole number");
		}
	}

	private static String text(KeptResult result, int offset) {
		String text = result.text();
		int begin = Printable.cut(text, offset).length();
		String part = Printable.cut(text.substring(begin), result.max() - ResultBudget.RESERVE);
		int end = begin + part.length();
		return part + "\n" + NoteSpoofing.NOTE
				+ String.format(Locale.ROOT, "These are the characters %,d to %,d of %,d.%s]", begin, end,
						text.length(), (end < text.length()) ? " Continue with offset " + end + "." : "");
	}

	private String json(Kept kept, String pointer, int offset) {
		KeptResult result = kept.result();
		try (MemoryBudget.Lease lease = MemoryBudget.of(kept.owner().server()).lease()) {
			Assert.isTrue(lease.take(result.size()), BUSY);
			StructuredCut cut = new StructuredCut();
			Object part = cut.cut(at(result, pointer), result.max() - ResultBudget.RESERVE, pointer, offset);
			String json = (part != null) ? ModelText.json(part) : "null";
			return cut.leftOut().isEmpty() ? json : json + "\n" + NoteSpoofing.NOTE + "Not yet read are "
					+ cut.leftOut() + ". Continue with such a pointer and offset.]";
		}
	}

	private @Nullable Object at(KeptResult result, String pointer) {
		Object value = result.json().isEmpty() ? null : ModelText.value(result.json());
		boolean found = value != null && (pointer.isEmpty() || pointer.startsWith("/"));
		for (String name : tokens(pointer)) {
			if (value instanceof Map<?, ?> map && map.containsKey(name)) {
				value = map.get(name);
			}
			else if (value instanceof List<?> list && name.matches("\\d{1,9}")
					&& Integer.parseInt(name) < list.size()) {
				value = list.get(Integer.parseInt(name));
			}
			else {
				found = false;
			}
		}
		if (!found) {
			throw new IllegalArgumentException("The result has nothing at this pointer");
		}
		return value;
	}

	private static List<String> tokens(String pointer) {
		return pointer.isEmpty() ? List.of()
				: Stream.of(pointer.substring(1).split("/", -1))
					.map((token) -> token.replace("~1", "/").replace("~0", "~"))
					.toList();
	}

}
