package io.github.mcpclient.internal.support;

import java.util.function.Function;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HttpHeaderValidator}.
 */
class HttpHeaderValidatorTests {

	@Test
	void credentialIsNoDefaultTextOfAnObject() {
		Runnable lambda = () -> {
		};
		Function<String, String> reference = String::strip;
		for (Object object : new Object[] { new HttpHeaderValidatorTests(), new Object(), lambda, reference,
				new Object() {
				}, new char[0], new byte[0], new String[0], new Object[0][0] }) {
			for (String value : new String[] { object.toString(), "Bearer " + object, "token=\"" + object + "\"" }) {
				for (String name : new String[] { "Authorization", "X-Api-Key", "cookie" }) {
					assertThat(HttpHeaderValidator.problem(name, value)).as(value)
						.contains("default toString() of a Java object");
					assertThat(HttpHeaderValidator.problemOfProvided(name, value)).as(value)
						.contains("default toString() of a Java object")
						.doesNotContain(object.toString());
				}
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "Authorization, Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.QWxhZGRpbg",
			"Authorization, Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Authorization, Bearer jane.doe@cafe",
			"Authorization, Bearer Token@1b2c3d", "X-Api-Key, org.example.Token@1b2c3d.com",
			"X-Api-Key, org.example.Token@1b2c3d4e5f", "X-Handler, org.example.Handler@1b2c3d" })
	void whatMerelyLooksLikeItIsSent(String name, String value) {
		assertThat(HttpHeaderValidator.problem(name, value)).isNull();
		assertThat(HttpHeaderValidator.problemOfProvided(name, value)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "a.A", "a.", "[", "[La", "a.A@", ".A" })
	void longValuesAreRead(String part) {
		assertThat(HttpHeaderValidator.problem("Authorization", "a" + part.repeat(20_000) + "@")).isNull();
	}

}
