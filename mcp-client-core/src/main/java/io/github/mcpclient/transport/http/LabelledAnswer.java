package io.github.mcpclient.transport.http;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response to a request. Its content type says whether it is JSON or a
 * stream of events, unless its first characters say otherwise: no event begins with a
 * bracket, and no JSON with the name of a field.
 */
final class LabelledAnswer implements HttpBody {

	private static final int LENGTH = 16;

	private static final Set<String> READ = Set.of(HttpEndpoint.JSON, HttpEndpoint.EVENT_STREAM);

	private static final Pattern BEGINNING = Pattern.compile("\\uFEFF?\\s*+(?:([\\[{])|(?:data|event|id|retry)?:)");

	private final String label;

	private final Function<String, HttpBody> bodies;

	private final Consumer<String> deviations;

	private final String type;

	// null where what is labelled otherwise has not begun yet
	private volatile @Nullable HttpBody body;

	private volatile boolean released;

	private boolean begun;

	/**
	 * Create a body.
	 * @param label the content type
	 * @param bodies make the body of a media type
	 * @param deviations takes the media type that it has under another label
	 */
	LabelledAnswer(String label, Function<String, HttpBody> bodies, Consumer<String> deviations) {
		this.label = label;
		this.bodies = bodies;
		this.deviations = deviations;
		this.type = Objects.requireNonNullElse(HttpEndpoint.mediaType(label), "").toLowerCase(Locale.ROOT);
		this.body = READ.contains(this.type) ? bodies.apply(this.type) : null;
	}

	@Override
	public void data(ByteBuf chunk) {
		if (!this.begun) {
			begin(chunk);
		}
		HttpBody body = this.body;
		if (body != null) {
			body.data(chunk);
		}
	}

	private void begin(ByteBuf chunk) {
		String found = type(chunk);
		if (found == null) {
			return;
		}
		this.begun = true;
		boolean other = !found.equals(this.type);
		if (other || this.label.indexOf(',') != -1) {
			this.deviations.accept(found);
		}
		if (other || this.body == null) {
			become(found);
		}
	}

	private HttpBody become(String type) {
		HttpBody former = this.body;
		if (former != null) {
			former.release();
		}
		HttpBody body = this.bodies.apply(type);
		this.body = body;
		if (this.released) {
			body.release();
		}
		return body;
	}

	// null for blanks, which mean nothing in either
	private @Nullable String type(ByteBuf chunk) {
		int first = chunk.isReadable() ? chunk.getByte(chunk.readerIndex()) : ' ';
		if (first > ' ' && first != '['
				&& this.type.equals((first == '{') ? HttpEndpoint.JSON : HttpEndpoint.EVENT_STREAM)) {
			return this.type;
		}
		String beginning = chunk.toString(chunk.readerIndex(), Math.min(LENGTH, chunk.readableBytes()),
				StandardCharsets.UTF_8);
		Matcher matcher = BEGINNING.matcher(beginning);
		if (!matcher.lookingAt()) {
			return beginning.isBlank() ? null : this.type;
		}
		return (matcher.start(1) != -1) ? HttpEndpoint.JSON : HttpEndpoint.EVENT_STREAM;
	}

	@Override
	public void end(@Nullable Throwable failure) {
		HttpBody body = this.body;
		((body != null) ? body : become(this.type)).end(failure);
	}

	@Override
	public void release() {
		this.released = true;
		HttpBody body = this.body;
		if (body != null) {
			body.release();
		}
	}

}
