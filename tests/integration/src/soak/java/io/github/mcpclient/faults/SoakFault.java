package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.faults.FaultyPeer.Behaviour;
import io.github.mcpclient.faults.SoakServer.Kind;
import io.github.mcpclient.test.server.McpTestReply;

import org.springframework.util.Assert;

/**
 * What a run of {@link Soak} does to its servers.
 */
enum SoakFault {

	KILLED(Over.STDIO, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.child().kill();
		}
	},

	EXITS(Over.STDIO, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			call(server, "exit");
		}
	},

	IS_KILLED_WITH_A_GRANDCHILD(Over.STDIO, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			call(server, "fork");
			server.child().kill();
		}
	},

	READS_NO_FURTHER(Over.STDIO, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			int starts = server.peer().starts();
			call(server, "deaf");
			server.await("another process", () -> server.peer().starts() > starts);
		}
	},

	FLOODS_STDERR(Over.STDIO, Calls.MUST_NOT_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			call(server, "flood");
		}
	},

	CLOSES_STDERR(Over.STDIO, Calls.MUST_NOT_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			call(server, "mute");
		}
	},

	SENDS_A_HUNDRED_MEGABYTES(Over.ALL, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			call(server, "huge");
		}
	},

	SENDS_WITHOUT_END(Over.ALL, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			call(server, "endless");
		}
	},

	IS_DOWN(Over.ALL, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.peer().down();
			pause(duration);
			server.peer().up();
		}
	},

	RESTARTS_AND_ANSWERS_NOTHING(Over.ALL, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.peer().behave(Behaviour.SILENT, true);
			server.peer().restart();
			pause(duration);
			server.peer().behave(Behaviour.SILENT, false);
		}
	},

	RESTARTS_WITH_OTHER_TOOLS(Over.ALL, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.peer().tools("other");
			server.peer().restart();
			pause(duration);
			server.peer().tools(server.tools());
			server.peer().restart();
			server.await("all tools", () -> server.offers(server.tools()));
		}
	},

	LISTS_TOOLS_WITHOUT_END(Over.ALL, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.peer().behave(Behaviour.ENDLESS_LISTING, true);
			server.peer().restart();
			pause(duration);
			server.peer().behave(Behaviour.ENDLESS_LISTING, false);
		}
	},

	SENDS_NOISE(Over.ALL, Calls.MUST_NOT_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			call(server, "noise");
		}
	},

	SENDS_STRANGE_IDS(Over.ALL, Calls.MUST_NOT_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			call(server, "ids");
		}
	},

	ANNOUNCES_OTHER_TOOLS_10000_TIMES(Over.ALL, Calls.MUST_NOT_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			call(server, "storm");
		}
	},

	ANNOUNCES_OTHER_TOOLS_WITH_EACH_LISTING(Over.ALL, Calls.MUST_NOT_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			listAllTheTime(server, duration, Behaviour.ANNOUNCING);
		}
	},

	HAS_OTHER_TOOLS_WITH_EACH_LISTING(Over.ALL, Calls.MUST_NOT_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			listAllTheTime(server, duration, Behaviour.ANNOUNCING, Behaviour.ALTERNATING);
		}
	},

	DECLARES_PATTERNS_THAT_ARE_HARD_TO_MATCH(Over.ALL, Calls.MUST_NOT_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			call(server, "nested");
			call(server, "optional");
			call(server, "lookahead");
		}
	},

	LEAVES_CALLS_UNANSWERED(Over.ALL, Calls.MUST_NOT_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			call(server, "hang");
		}
	},

	CONNECTIONS_ARE_RESET(Over.NETWORK, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.proxy().reset();
		}
	},

	ANSWERS_ARE_CUT_SHORT(Over.NETWORK, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.proxy().resetWithinAnswers(20);
			pause(duration);
			server.proxy().pass();
		}
	},

	CONNECTIONS_ARE_REFUSED(Over.NETWORK, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.proxy().refuse();
			pause(duration);
			server.proxy().accept();
		}
	},

	NOTHING_ARRIVES(Over.NETWORK, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.proxy().hold();
			pause(duration);
			server.proxy().pass();
		}
	},

	CONNECTIONS_ARE_FORGOTTEN(Over.NETWORK, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.proxy().forget();
			pause(duration);
			server.proxy().reset();
		}
	},

	ANSWERS_DRIP(Over.NETWORK, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.proxy().drip(Duration.ofMillis(50));
			pause(duration);
			server.proxy().pass();
		}
	},

	CONNECTIONS_ARE_SLOW(Over.NETWORK, Calls.MUST_NOT_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.proxy().delay(Duration.ofMillis(100));
			pause(duration);
			server.proxy().pass();
		}
	},

	SESSION_IS_NOT_FOUND(Over.HTTP, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.http().script().unknownSession(McpTestReply.status(404));
			server.http().script().forgetSessions();
		}
	},

	SESSION_IS_A_BAD_REQUEST(Over.HTTP, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.http().script().unknownSession(FaultyServer.NO_SESSION.withStatus(400));
			server.http().script().forgetSessions();
		}
	},

	SESSION_IS_AN_ERROR_OF_JSON_RPC(Over.HTTP, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.http().script().unknownSession(FaultyServer.NO_SESSION);
			server.http().script().forgetSessions();
		}
	},

	SESSION_IS_NOT_FOUND_AFTER_503(Over.HTTP, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.answerNext(3, FaultyServer.refusal(503));
			server.http().script().unknownSession(McpTestReply.status(404));
			server.http().script().forgetSessions();
		}
	},

	REFUSES_WITH_503(Over.NETWORK, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			refuse(server, 503, duration);
		}
	},

	REFUSES_WITH_401(Over.NETWORK, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			refuse(server, 401, duration);
		}
	},

	STREAM_FLAPS(Over.HTTP, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.http().stream(McpTestReply.events(": open\n\n"));
			server.proxy().reset();
			pause(duration);
			server.http().stream(McpTestReply.standard());
		}
	},

	AUTHORIZATION_SERVER_HANGS(Over.OAUTH, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			server.authorizationServer().hang();
			pause(duration);
			server.authorizationServer().answer();
		}

		@Override
		boolean explains(McpException failure) {
			return isWithoutToken(failure, "no response within");
		}
	},

	AUTHORIZATION_SERVER_REFUSES_WITH_503(Over.OAUTH, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			refuseTokens(server, McpTestReply.status(503), duration);
		}

		@Override
		boolean explains(McpException failure) {
			return isWithoutToken(failure, "503");
		}
	},

	AUTHORIZATION_SERVER_REFUSES_THE_CLIENT(Over.OAUTH, Calls.MAY_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			refuseTokens(server, SoakAuthorizationServer.error(401, "invalid_client"), duration);
		}

		@Override
		boolean explains(McpException failure) {
			return isWithoutToken(failure, "invalid_client");
		}
	},

	AUTHORIZATION_SERVER_CHANGES_ITS_KEYS(Over.OAUTH, Calls.MUST_NOT_FAIL) {
		@Override
		void happen(SoakServer server, Duration duration) {
			// tokens are renewed sparingly if the server has just refused some
			pause(Duration.ofSeconds(11));
			server.authorizationServer().changeKeys();
		}
	};

	private final Over over;

	private final Calls calls;

	SoakFault(Over over, Calls calls) {
		this.over = over;
		this.calls = calls;
	}

	/**
	 * The faults that a server can meet.
	 */
	static List<SoakFault> over(Kind kind) {
		return Arrays.stream(values()).filter((fault) -> fault.over.kinds.contains(kind)).toList();
	}

	/**
	 * Whether calls of the server may fail while it lasts, and until the server is back.
	 */
	boolean mayFailCalls() {
		return this.calls == Calls.MAY_FAIL;
	}

	/**
	 * Whether a call may have failed with this because of it.
	 */
	boolean explains(McpException failure) {
		return true;
	}

	/**
	 * Make it happen.
	 * @param server the server that meets it
	 * @param duration how long it lasts, where it lasts
	 */
	abstract void happen(SoakServer server, Duration duration);

	/**
	 * Call a tool that makes the trouble. Whether that call fails does not matter.
	 */
	private static void call(SoakServer server, String tool) {
		try {
			server.call(tool, Map.of());
		}
		catch (McpException ex) {
			// as is to be expected
		}
	}

	/**
	 * Let the server cause listings, each of which causes another one.
	 */
	private static void listAllTheTime(SoakServer server, Duration duration, Behaviour... behaviours) {
		int listings = server.peer().listings();
		long began = System.nanoTime();
		for (Behaviour behaviour : behaviours) {
			server.peer().behave(behaviour, true);
		}
		call(server, "storm");
		pause(duration);
		for (Behaviour behaviour : behaviours) {
			server.peer().behave(behaviour, false);
		}
		long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
		int more = server.peer().listings() - listings;
		Assert.state(more <= 3 + 2 * (seconds + 1), () -> more + " listings in " + seconds + " s");
	}

	private static void refuse(SoakServer server, int status, Duration duration) {
		server.answer(FaultyServer.refusal(status));
		server.proxy().reset();
		pause(duration);
		server.answer(McpTestReply.standard());
	}

	private static void refuseTokens(SoakServer server, McpTestReply reply, Duration duration) {
		server.authorizationServer().refuse(reply);
		pause(duration);
		server.authorizationServer().answer();
	}

	private static boolean isWithoutToken(McpException failure, String reason) {
		String message = String.valueOf(failure.getMessage());
		// tokens are renewed sparingly if the server has just refused some
		return failure instanceof McpRequestTimeoutException || message.contains(reason)
				|| message.contains("HTTP 401");
	}

	private static void pause(Duration duration) {
		try {
			Thread.sleep(duration.toMillis());
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private enum Over {

		STDIO(Kind.STDIO), OAUTH(Kind.OAUTH, Kind.OAUTH_OF_USERS),
		HTTP(Kind.STREAMABLE_HTTP, Kind.OAUTH, Kind.OAUTH_OF_USERS),
		NETWORK(Kind.STREAMABLE_HTTP, Kind.WEBSOCKET, Kind.OAUTH, Kind.OAUTH_OF_USERS), ALL(Kind.values());

		private final Set<Kind> kinds;

		Over(Kind... kinds) {
			this.kinds = Set.of(kinds);
		}

	}

	private enum Calls {

		MAY_FAIL, MUST_NOT_FAIL

	}

}
