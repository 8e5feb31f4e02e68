package io.github.mcpclient.guard;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ArgumentsInterceptor}.
 */
class ArgumentsInterceptorTests {

	@Test
	void valuesAreNotPrinted() {
		assertThat(new ArgumentsInterceptor(Map.of("token", "s3cr3t"), Map.of("key", "s3cr3t"))).asString()
			.contains("token", "key")
			.doesNotContain("s3cr3t");
	}

}
