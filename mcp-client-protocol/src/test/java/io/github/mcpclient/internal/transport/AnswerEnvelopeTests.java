package io.github.mcpclient.internal.transport;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AnswerEnvelope}.
 */
class AnswerEnvelopeTests {

	private static final String BIG = "{`a`:[" + "{`id`:8,`t`:`\\\\`,\\`id\\`:8}`},".repeat(1000) + "1]}";

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			{`jsonrpc`:`2.0`,`id`:7,`result`:BIG}                             | 7
			{`jsonrpc`:`2.0`,`id`:`7`,`result`:BIG}                           | '7'
			{`id` : -12345678901 , `jsonrpc` : `2.0`, `result` : BIG}         | -12345678901
			{`result`:BIG,`jsonrpc`:`2.0`,`id`:7}                             | 7
			{`result`:BIG,`id`:`a-b`,`jsonrpc`:`2.0`}                         | 'a-b'
			 { `jsonrpc`:`2.0`,`result`: BIG , `id` : 7 , `x`:true }          | 7
			{`jsonrpc`:`2.0`,`error`:{`code`:1,`data`:BIG},`id`:7}            | 7
			{`jsonrpc`:`2.0`,`x`:null,`id`:7,`result`:BIG}                    | 7
			{`result`:`,\\`id\\`:8`,`id`:7}                                   | 7
			{`result`:`,\\`id\\`:8`}                                          | -
			{`jsonrpc`:`2.0`,`result`:BIG}                                    | -
			{`jsonrpc`:`2.0`,`id`:null,`result`:BIG}                          | -
			{`jsonrpc`:`2.0`,`id`:1.5,`result`:BIG}                           | -
			{`jsonrpc`:`2.0`,`id`:123456789012345678901,`result`:BIG}         | -
			{`jsonrpc`:`2.0`,`id`:`a\\`b`,`result`:BIG}                       | -
			{`result`:BIG,`id`:7}}                                            | -
			{`jsonrpc`:`2.0`,`id`:7,`method`:`m`,`params`:BIG}                | -
			{`method`:`m`,`params`:{`result`:BIG},`jsonrpc`:`2.0`,`id`:7}     | -
			{`params`:BIG,`method`:`m`,`jsonrpc`:`2.0`,`id`:7}                | -
			{`method`:`m`,`result`:BIG,`id`:7}                                | -
			{`x`:{`y`:1},`result`:BIG,`id`:7}                                 | -
			[{`jsonrpc`:`2.0`,`id`:7,`result`:BIG}]                           | -
			BIG                                                               | -
			""")
	void idIsFoundInFrontOfTheResultOrBehindIt(String text, String id) {
		String string = text.replace("BIG", BIG).replace('`', '"');
		byte[] json = ("##" + string + "##").getBytes(StandardCharsets.UTF_8);
		Object found = AnswerEnvelope.id(json, 2, json.length - 4);
		assertThat((found instanceof String) ? "'" + found + "'" : (found != null) ? found.toString() : "-")
			.isEqualTo(id);
	}

	@Test
	void idsHaveTheTypesOfTheCodec() {
		assertThat(id("{\"id\":7,\"result\":{}}")).isEqualTo(7);
		assertThat(id("{\"id\":12345678901,\"result\":{}}")).isEqualTo(12345678901L);
		assertThat(id("{\"id\":\"7\",\"result\":{}}")).isEqualTo("7");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"x", "{\"result\":", "{\"id\":7,\"error\":[" })
	void answerIsKnownByItsBeginning(String text) {
		byte[] json = text.getBytes(StandardCharsets.UTF_8);
		assertThat(AnswerEnvelope.isAnswer(json, 0, json.length)).isTrue();
		assertThat(AnswerEnvelope.isAnswer(json, 1, json.length - 1)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "xxxx", "{\"jsonrpc\":\"2.0\",\"id\":7",
			"{\"method\":\"m\",\"params\":{\"result\":1", "{\"params\":\"x\",\"result\":" })
	void otherMessagesAreKnownByTheirBeginning(String text) {
		byte[] json = text.getBytes(StandardCharsets.UTF_8);
		assertThat(AnswerEnvelope.isAnswer(json, 0, json.length)).isFalse();
		assertThat(AnswerEnvelope.id(json, 0, json.length)).isNull();
	}

	private static Object id(String text) {
		byte[] json = text.getBytes(StandardCharsets.UTF_8);
		return AnswerEnvelope.id(json, 0, json.length);
	}

}
