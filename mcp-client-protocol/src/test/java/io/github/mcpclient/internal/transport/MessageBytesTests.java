package io.github.mcpclient.internal.transport;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MessageReader.Bytes}.
 */
class MessageBytesTests {

	private final byte[] source = new byte[300_000];

	private final MessageReader.Bytes bytes = new MessageReader.Bytes();

	MessageBytesTests() {
		new Random(42).nextBytes(this.source);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 511, 513, 8192, 65_536, 100_000, 300_000 })
	void collectsChunksOfAnySize(int chunk) {
		for (int round = 0; round < 2; round++) {
			for (int start = 0; start < this.source.length; start += chunk) {
				append(start, Math.min(chunk, this.source.length - start));
			}
			assertThat(this.bytes.length()).isEqualTo(this.source.length);
			assertThat(this.bytes.toByteArray()).isEqualTo(this.source);
			this.bytes.clear();
			assertThat(this.bytes.length()).isZero();
			assertThat(this.bytes.toByteArray()).isEmpty();
		}
	}

	@Test
	void goesOnAfterItWasLookedAt() {
		append(0, 200_000);
		assertThat(this.bytes.toByteArray()).isEqualTo(Arrays.copyOf(this.source, 200_000));
		append(200_000, 100_000);
		assertThat(this.bytes.toByteArray()).isEqualTo(this.source);
	}

	@Test
	void messageInOnePieceIsCopiedOnce() {
		append(0, 1000);
		assertThat(this.bytes.toByteArray()).hasSize(1000).isSameAs(this.bytes.toByteArray());
	}

	private void append(int start, int count) {
		this.bytes.append(count, ByteBuffer.wrap(this.source, start, count)::get);
	}

}
