package io.github.mcpclient.agent;

import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link UriTemplate}, with the examples of RFC 6570.
 */
class UriTemplateTests {

	private static final Map<String, Object> VALUES = Map.of("var", "value", "hello", "Hello World!", "path",
			"/foo/bar", "empty", "", "x", 1024, "y", "768", "list", List.of("red", "green", "blue"), "half", "50%",
			"word", "grün");

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			a://{var}/{hello}         | a://value/Hello%20World%21
			{+path}/here              | /foo/bar/here
			{+hello,x}{+half}         | Hello%20World!,102450%
			{#path,x}here             | #/foo/bar,1024here
			X{.x,y}                   | X.1024.768
			{/var,x}/here             | /value/1024/here
			{/var:1,var}              | /v/value
			{;x,y,empty}              | ;x=1024;y=768;empty
			{?x,y,empty,missing}      | ?x=1024&y=768&empty=
			?fixed=yes{&x}            | ?fixed=yes&x=1024
			{list}/{list*}            | red,green,blue/red,green,blue
			{/list*}                  | /red/green/blue
			{?list*}                  | ?list=red&list=green&list=blue
			{?list}                   | ?list=red,green,blue
			{missing}{?missing}.      | .
			{word}                    | gr%C3%BCn
			a://{}/{ var }/{?/}{:9}{  | a://{}//{
			""")
	void expand(String template, String uri) {
		assertThat(new UriTemplate(template).expand(VALUES)).isEqualTo(uri);
	}

	@Test
	void variables() {
		assertThat(new UriTemplate("{a}/{+b,c*}{?d:3,a}{}").variables()).containsExactly("a", "b", "c", "d");
		assertThat(new UriTemplate("file:///a b/c").variables()).isEmpty();
		assertThat(new UriTemplate("{a,,b}{,}{\n}{c\nd:3}").variables()).containsExactly("a", "b", "\n", "c\nd");
		assertThat(new UriTemplate("{var,,y}{,}{\n}").expand(VALUES)).isEqualTo("value,768");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{a}", "{}", "{a,", "{", "a" })
	void whatIsTooLongIsNoTemplate(String part) {
		UriTemplate template = new UriTemplate("{first}" + part.repeat(5_000_000 / part.length()));
		assertThat(template.variables()).isEmpty();
		assertThat(template.expand(VALUES)).isSameAs(template.template());
	}

	@ParameterizedTest
	@ValueSource(strings = { "{a}", "{?a*}", "{a,a,a}", "{list}" })
	void aUriThatWouldBeTooLongIsNotMade(String part) {
		UriTemplate template = new UriTemplate(part.repeat(1000));
		Map<String, Object> values = Map.of("a", "ü".repeat(10_000), "list", Collections.nCopies(10_000, "a"));
		assertThatIllegalArgumentException().isThrownBy(() -> template.expand(values))
			.withMessage("With these values, the uri would have more than 8192 characters");
	}

}
