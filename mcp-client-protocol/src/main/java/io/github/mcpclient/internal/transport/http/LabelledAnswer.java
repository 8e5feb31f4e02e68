package io.github.mcpclient.internal.transport.http;

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
 * The body of a response to a request. Its content type defines whether it is JSON or an
 * event stream, unless its first characters contradict that: no event begins with a
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

	// ignored until the content of a mislabeled response has begun
	private volatile HttpBody body;

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
		this.body = READ.contains(this.type) ? bodies.apply(this.type) : HttpBody.IGNORED;
	}

	@Override
	public void data(ByteBuf chunk) {
		if (!this.begun) {
			begin(chunk);
		}
		this.body.data(chunk);
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
		if (other || this.body == HttpBody.IGNORED) {
			become(found);
		}
	}

	private void become(String type) {
		this.body.release();
		this.body = this.bodies.apply(type);
		if (this.released) {
			this.body.release();
		}
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
		if (this.body == HttpBody.IGNORED) {
			become(this.type);
		}
		this.body.end(failure);
	}

	@Override
	public void release() {
		this.released = true;
		this.body.release();
	}

}
