package io.github.mcpclient.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.internal.model.ModelText;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.Redaction;
import io.github.mcpclient.internal.support.Secrets;
import io.modelcontextprotocol.spec.McpSchema.AudioContent;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import org.jspecify.annotations.Nullable;

/**
 * Limits what a model reads of a result: of text the beginning and the end, of structured
 * content whole items, with a note about the omitted part. Images and the like are not
 * cut. Text of a server that imitates such a note is marked. Safe for use by many
 * threads.
 */
final class ResultBudget {

	// for notes, and what is written before an error
	static final int RESERVE = 700;

	private static final String ASK_FOR_LESS = "Request less, such as a part or a page.";

	private ResultBudget() {
	}

	/**
	 * Return the result, or a shorter one in its place.
	 * @param max how many characters a model may read, or 0 for all
	 * @param keep stores a result that is cut, and returns its ID if it does
	 */
	static McpToolResult limit(McpToolResult result, int max, Function<KeptResult, @Nullable String> keep) {
		McpToolResult disclosed = changed(result, NoteSpoofing::neutralize);
		return (max == 0 || fits(disclosed, max)) ? disclosed : cut(disclosed, max, keep);
	}

	private static boolean fits(McpToolResult result, int max) {
		Object structured = result.structuredContent();
		int rest = max - result.text().length();
		return rest >= 0 && (structured == null || StructuredCut.size(structured, rest) <= rest
				|| result.content().stream().anyMatch((item) -> ModelText.repeats(item, structured)));
	}

	private static McpToolResult cut(McpToolResult result, int max, Function<KeptResult, @Nullable String> keep) {
		int limit = max - RESERVE;
		Object structured = result.structuredContent();
		if (structured == null || result.content().stream().anyMatch((item) -> ModelText.isText(item, structured))) {
			String id = keep.apply(new KeptResult(result.text(), "", 0, max));
			return result.shortened(cut(result, result.content(), limit, id), null);
		}
		List<Content> items = result.content().stream().filter((item) -> !ModelText.repeats(item, structured)).toList();
		String text = text(result, items);
		String id = keep.apply(new KeptResult(text, ModelText.json(structured), MemoryBudget.sizeOf(structured), max));
		StructuredCut cut = new StructuredCut();
		Object part = Objects.requireNonNull(cut.cut(structured, Math.max(limit - text.length(), limit / 2), ""));
		List<Content> read = new ArrayList<>(cut(result, items, limit - StructuredCut.size(part, limit), id));
		// as text, too, so that the note is next to it
		read.add(TextContent.builder(ModelText.json(part)).build());
		if (!cut.leftOut().isEmpty()) {
			String how = (id != null) ? "Read on with read_result, id \"" + id + "\" and such a pointer and offset."
					: ASK_FOR_LESS;
			read.add(TextContent.builder(NoteSpoofing.NOTE + "This JSON omits " + cut.leftOut() + ". " + how + "]")
				.build());
		}
		return result.shortened(read, part);
	}

	private static List<Content> cut(McpToolResult result, List<Content> items, int limit, @Nullable String id) {
		int length = text(result, items).length();
		if (length <= limit) {
			return items;
		}
		// whose placeholders are read
		int media = Math.min(limit / 4,
				text(result, items.stream().filter(ResultBudget::isMedia).toList()).length() + 1);
		int headEnd = (limit - media) * 2 / 3;
		int tailBegin = length - (limit - media - headEnd);
		List<Content> read = new ArrayList<>();
		int gap = -1;
		String beforeGap = "";
		String afterGap = "";
		int leftOut = 0;
		int offset = 0;
		int begin = 0;
		for (Content item : items) {
			String text = text(result, List.of(item));
			int end = begin + text.length();
			media -= isMedia(item) ? text.length() + 1 : 0;
			if (end <= headEnd || begin >= tailBegin || (isMedia(item) && media >= 0)) {
				read.add(item);
			}
			else {
				String head = isText(item) ? Printable.cut(text, Math.max(0, headEnd - begin)) : "";
				String tail = isText(item) ? end(text, end - tailBegin) : "";
				leftOut += text.length() - head.length() - tail.length();
				if (gap == -1) {
					gap = read.size();
					offset = begin + head.length();
					beforeGap = head;
					afterGap = tail;
				}
				if (gap == read.size() || !tail.isEmpty()) {
					read.add(TextContent.builder(tail).build());
				}
			}
			begin = end + 1;
		}
		if (gap == -1) {
			return items;
		}
		String note = NoteSpoofing.NOTE
				+ String.format(Locale.ROOT, "%,d of %,d characters are omitted here. ", leftOut, length)
				+ ((id != null) ? "Read on with read_result, id \"" + id + "\" and offset " + offset + "."
						: ASK_FOR_LESS)
				+ "]";
		read.set(gap,
				TextContent
					.builder(Stream.of(beforeGap, note, afterGap)
						.filter((line) -> !line.isEmpty())
						.collect(Collectors.joining("\n")))
					.build());
		return read;
	}

	private static String text(McpToolResult result, List<Content> items) {
		return result.shortened(items, null).text();
	}

	private static String end(String text, int length) {
		int begin = text.length() - Math.max(0, length);
		boolean splits = begin > 0 && begin < text.length() && Character.isLowSurrogate(text.charAt(begin))
				&& Character.isHighSurrogate(text.charAt(begin - 1));
		return text.substring(splits ? begin + 1 : begin);
	}

	private static boolean isText(Content item) {
		return item instanceof TextContent
				|| (item instanceof EmbeddedResource embedded && embedded.resource() instanceof TextResourceContents);
	}

	private static boolean isMedia(Content item) {
		return item instanceof ImageContent || item instanceof AudioContent
				|| (item instanceof EmbeddedResource embedded && embedded.resource() instanceof BlobResourceContents);
	}

	/**
	 * Return the result, or one in its place with masks in place of secrets.
	 */
	static McpToolResult masked(McpToolResult result, Secrets secrets) {
		return secrets.isEmpty() ? result : changed(result, secrets::mask);
	}

	private static McpToolResult changed(McpToolResult result, UnaryOperator<String> texts) {
		Object structured = Redaction.texts(result.structuredContent(), texts, true);
		List<Content> items = result.content().stream().map((item) -> changed(item, texts)).toList();
		return (structured == result.structuredContent() && items.equals(result.content())) ? result
				: result.shortened(items, structured);
	}

	// what a model reads of an item, which is the uri of some
	private static Content changed(Content item, UnaryOperator<String> texts) {
		if (item instanceof TextContent text) {
			String changed = texts.apply(text.text());
			return changed.equals(text.text()) ? item : new TextContent(text.annotations(), changed, text.meta());
		}
		if (item instanceof ResourceLink link && link.uri() != null) {
			String changed = texts.apply(link.uri());
			return changed.equals(link.uri()) ? item : new ResourceLink(link.name(), link.title(), changed,
					link.description(), link.mimeType(), link.size(), link.annotations(), link.meta());
		}
		if (item instanceof EmbeddedResource embedded) {
			ResourceContents changed = changed(embedded.resource(), texts);
			return changed.equals(embedded.resource()) ? item
					: new EmbeddedResource(embedded.annotations(), changed, embedded.meta());
		}
		return item;
	}

	private static ResourceContents changed(ResourceContents resource, UnaryOperator<String> texts) {
		if (resource instanceof TextResourceContents text) {
			return new TextResourceContents(text.uri(), text.mimeType(), texts.apply(text.text()), text.meta());
		}
		return (resource instanceof BlobResourceContents blob && blob.uri() != null)
				? new BlobResourceContents(texts.apply(blob.uri()), blob.mimeType(), blob.blob(), blob.meta())
				: resource;
	}

}
