package io.github.mcpclient.internal.support;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Secrets} and {@link Redaction}.
 */
class SecretMaskTests {

	private final Secrets secrets = Secrets.builder()
		.environment(Map.of("TOKEN", "s3cr3t", "LONGER", "s3cr3t-and-more", "LEVEL", "debug", "NO", "no", "KEY",
				"-----BEGIN-----\nMIIEvQIBADAN\n-----END-----\n"))
		.build();

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			plain text                     | plain text
			token s3cr3t!                  | token ******!
			s3cr3t s3cr3t-and-more         | ****** ******
			level debug, no problem        | level debug, no problem
			MIIEvQIBADAN                   | ******
			'\u001B[31mred\u001B[0m text' | red text
			'a\u001B]0;title\u0007b' | ab
			's3c\u001B[1mr3t' | ******
			's3c\u200Br3t' | ******
			'\u001B[31' | ''
			'\u001B' | ''
			'a\tb\u0000c\u0008d\u009Be' | a bcde
			'a\u202Eb\u2028c\u2066d' | ab cd
			'a  b' | a  b
			'a \n\t  b' | a b
			grüße                          | grüße
			""")
	void makesForeignTextPresentable(String raw, String clean) {
		assertThat(this.secrets.line(raw, 100)).isEqualTo(clean);
	}

	@Test
	void masksTheTextsOfJson() {
		Map<String, Object> json = Map.of("s3cr3t", List.of("a s3cr3t", 5), "other", Map.of("a", "b"));
		assertThat(this.secrets.mask(json, true))
			.isEqualTo(Map.of("******", List.of("a ******", 5), "other", Map.of("a", "b")));
		assertThat(this.secrets.mask(json, false))
			.isEqualTo(Map.of("s3cr3t", List.of("a ******", 5), "other", Map.of("a", "b")));
		assertThat(this.secrets.withoutShort().mask(json, true)).isSameAs(json);
		assertThat(this.secrets.withoutShort().mask("s3cr3t-and-more", true)).isEqualTo("******");
		assertThat(this.secrets.mask(null, true)).isNull();
	}

	@Test
	void cutsLongText() {
		assertThat(this.secrets.line("x".repeat(11), 10)).isEqualTo("x".repeat(10) + "...");
		assertThat(this.secrets.line("x".repeat(10), 10)).isEqualTo("x".repeat(10));
		assertThat(this.secrets.line("x".repeat(9) + "\uD83D\uDE00", 10)).isEqualTo("x".repeat(9) + "...");
		assertThat(this.secrets.line("x".repeat(1_000_000), 10)).isEqualTo("x".repeat(10) + "...");
	}

	@Test
	void masksStartOfSecretWhereTextWasCutOff() {
		assertThat(this.secrets.line("it is s3cr3t-and", 100, true)).isEqualTo("it is ******-and...");
		assertThat(this.secrets.line("it is s3cr3", 100, true)).isEqualTo("it is ******...");
		assertThat(this.secrets.start("it is s3cr3t", 11, false)).isEqualTo("it is ******");
		assertThat(this.secrets.start("it is s3cr", 100, true)).isEqualTo("it is ******");
		assertThat(this.secrets.start("it is s3cr", 100, false)).isEqualTo("it is s3cr");
		assertThat(this.secrets.line(" ".repeat(796) + "s3cr3t", 100)).isEqualTo("******...");
	}

	@Test
	void findsSecretsWhereverTheyAreConfigured() {
		Secrets all = this.secrets.and()
			.headers(Map.of("Authorization", "Bearer t0ken", "X-Short", "abc"))
			.url(URI.create("https://user:p%40ssw0rd@example.com/mcp?key=query-secret&short=word"))
			.settings(Map.of("auth", List.of(Map.of("key", "deep-secret"), 1)))
			.arguments("server", List.of("--api-key", "k3y-1234", "--token=t0k3n-1234", "/data"))
			.sessionUrl(URI.create("/messages/0123456789abcdef?id=4711"), 16)
			.build();
		assertThat(all.mask("Bearer t0ken, t0ken, abc")).isEqualTo("******, ******, abc");
		assertThat(all.mask("user:p%40ssw0rd p@ssw0rd query-secret word")).isEqualTo("****** ****** ****** word");
		assertThat(all.mask("deep-secret k3y-1234 t0k3n-1234 /data")).isEqualTo("****** ****** ****** /data");
		assertThat(all.mask("/messages/0123456789abcdef 4711 s3cr3t")).isEqualTo("/messages/****** ****** ******");
	}

	@Test
	void showsUrlsOfATextWithoutUserAndValues() {
		assertThat(Redaction.urls("GET https://me:pw@example.com/mcp?key=a&b failed http://x/?c=d"))
			.isEqualTo("GET https://example.com/mcp?key=******&****** failed http://x/?c=******");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					{"password":"a","b":"c"}                      | {"password":"******","b":"c"}
					{"X-Api-Key" : ["a"],"b":"c"}                 | {"X-Api-Key" : ["******"],"b":"c"}
					{"clientSecret":"a\\"b","b":"c"}               | {"clientSecret":"******","b":"c"}
					{"token":"a\\\\","b":"c"}                       | {"token":"******","b":"c"}
					{"refresh_token":"a                           | {"refresh_token":"******
					{"t":"{\\"idToken\\":\\"a\\",\\"b\\":\\"c\\"}"}       | {"t":"{\\"idToken\\":\\"******\\",\\"b\\":\\"c\\"}"}
					{"t":"{\\"token\\":\\"a\\\\\\"d\\\\\\\\\\",\\"b\\":\\"c\\"}"} | {"t":"{\\"token\\":\\"******\\",\\"b\\":\\"c\\"}"}
					{"progressToken":"a","nextCursor":"b"}        | {"progressToken":"a","nextCursor":"b"}
					{"token":{"type":"string"},"maxTokens":5}     | {"token":{"type":"string"},"maxTokens":5}
					"Authorization: Bearer abcdefgh1\\n"           | "Authorization: Bearer ******\\n"
					"basic authentication, bearer tokens"         | "basic authentication, bearer tokens"
					"eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.c2ln-"         | "******"
					{"nextCursor":"eyJvZmZzZXQiOjEwfQ"}           | {"nextCursor":"eyJvZmZzZXQiOjEwfQ"}
					"https://me:pw@example.com/?a=b&api_key=c#d"  | "https://******@example.com/?a=b&api_key=******#d"
					""")
	void showsJsonWithoutWhatLooksLikeACredential(String json, String shown) {
		assertThat(Redaction.json(json)).isEqualTo(shown);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\\", "\"", "\\\"", "\"a", "a.", "eyJ-", "\"token\":\"", "://", "&a-", "bearer " })
	void looksForCredentialsInLinearTime(String part) {
		String json = part.repeat(200_000 / part.length());
		assertThat(CompletableFuture.supplyAsync(() -> Redaction.json(json))).succeedsWithin(Duration.ofSeconds(20));
	}

}
