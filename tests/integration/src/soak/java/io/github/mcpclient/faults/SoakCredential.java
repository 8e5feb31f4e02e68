package io.github.mcpclient.faults;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.mcpclient.test.server.McpTestRequest;

/**
 * A secret of {@link Soak}, of which the text says whose it is, so that it is recognized
 * wherever it turns up.
 *
 * @param kind what it is
 * @param server the name of the only server for which it is good
 * @param holder who uses it: a user, or the application
 * @param keys the number of the keys with which it is signed
 * @param end when it ends, in milliseconds
 */
record SoakCredential(Kind kind, String server, String holder, int keys, long end) {

	private static final Pattern TEXT = Pattern
		.compile("(SECRET|SUBJECT|REFRESH|ACCESS)\\.([\\w-]+)\\.([\\w-]+)\\.(\\d+)\\.(\\d+)");

	private static final Pattern BASIC = Pattern.compile("(?i)Basic ([\\w+/=]+)");

	/**
	 * One that has no end.
	 */
	SoakCredential(Kind kind, String server, String holder) {
		this(kind, server, holder, 0, Long.MAX_VALUE);
	}

	/**
	 * All that a request shows, wherever that is.
	 */
	static List<SoakCredential> in(McpTestRequest request) {
		String headers = BASIC.matcher(request.headers().toString())
			.replaceAll((basic) -> Matcher
				.quoteReplacement(new String(Base64.getDecoder().decode(basic.group(1)), StandardCharsets.UTF_8)));
		return in(request.uri() + " " + headers + " " + request.body());
	}

	static List<SoakCredential> in(String text) {
		return TEXT.matcher(text).results().map(SoakCredential::of).toList();
	}

	private static SoakCredential of(MatchResult text) {
		return new SoakCredential(Kind.valueOf(text.group(1)), text.group(2), text.group(3),
				Integer.parseInt(text.group(4)), Long.parseLong(text.group(5)));
	}

	/**
	 * Whether it was signed with these keys, and has not ended.
	 */
	boolean isGood(int keys) {
		return this.keys == keys && System.currentTimeMillis() < this.end;
	}

	@Override
	public String toString() {
		return this.kind + "." + this.server + "." + this.holder + "." + this.keys + "." + this.end;
	}

	enum Kind {

		/**
		 * Of the client, for the authorization server.
		 */
		SECRET,

		/**
		 * What a user has called the application with, for the authorization server.
		 */
		SUBJECT,

		/**
		 * For the authorization server.
		 */
		REFRESH,

		/**
		 * For the MCP server.
		 */
		ACCESS

	}

}
