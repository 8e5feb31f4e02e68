package io.github.mcpclient.test.server;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;

/**
 * The transport-independent server: sessions, and the reply to each request.
 */
final class Dispatcher {

	private static final Logger logger = LoggerFactory.getLogger(Dispatcher.class);

	// the served paths without a script; empty for other transports than HTTP
	private static final Set<String> PATHS = Set.of("", "/mcp", "/sse", "/message");

	private final RequestLog log = new RequestLog();

	private final Map<String, Session> sessions = new ConcurrentHashMap<>();

	private final Subscriptions subscriptions = new Subscriptions(this.log::changed);

	private final Questions questions = new Questions();

	private final ExecutorService threads = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "test-server-worker");
		thread.setDaemon(true);
		return thread;
	});

	private final Scheduler scheduler = Schedulers.fromExecutorService(this.threads, "test-server");

	private final Rounds rounds = new Rounds();

	private final Tasks tasks = new Tasks(this.threads);

	private volatile Contents contents = new Contents();

	private volatile Script script = new Script();

	// the contents when the server was started first
	private @Nullable Contents initialContents;

	private Script initialScript = this.script;

	private volatile McpTestReply unknownSession = McpTestReply.status(404);

	private volatile boolean usesSessions = true;

	private volatile UnaryOperator<Flux<String>> stdout = (message) -> message.concatWith(Mono.just("\n"));

	private volatile boolean running;

	/**
	 * Start to serve. The first start stores the contents and the script, which a
	 * {@link #reset()} restores.
	 */
	void start() {
		if (this.initialContents == null) {
			this.initialContents = this.contents.copy();
			this.initialScript = this.script.copy();
		}
		this.running = true;
	}

	void stop() {
		this.running = false;
		this.sessions.values().forEach(Session::endStream);
		this.log.clearPending();
		forgetSessions();
	}

	void reset() {
		if (this.initialContents != null) {
			this.contents = this.initialContents.copy();
			this.script = this.initialScript.copy();
		}
		this.rounds.clear();
		this.tasks.clear();
	}

	boolean isRunning() {
		return this.running;
	}

	Questions questions() {
		return this.questions;
	}

	RequestLog log() {
		return this.log;
	}

	ExecutorService threads() {
		return this.threads;
	}

	Scheduler scheduler() {
		return this.scheduler;
	}

	Contents contents() {
		return this.contents;
	}

	Script script() {
		return this.script;
	}

	boolean usesSessions() {
		return this.usesSessions;
	}

	void withoutSessions() {
		this.usesSessions = false;
	}

	McpTestReply unknownSession() {
		return this.unknownSession;
	}

	void unknownSession(McpTestReply reply) {
		this.unknownSession = reply;
	}

	void stdout(UnaryOperator<String> message) {
		this.stdout = (pieces) -> pieces.collect(Collectors.joining()).map(message).flux();
	}

	/**
	 * Return the text that is written to stdout, in pieces.
	 */
	Flux<String> stdout(Flux<String> message) {
		return this.stdout.apply(message);
	}

	Map<String, Session> sessions() {
		return this.sessions;
	}

	/**
	 * Record a request, and determine its reply. A script that is added after a request
	 * was recorded applies to later requests.
	 */
	Mono<McpTestReply> reply(McpTestRequest request) {
		Contents contents = this.contents;
		request.stateless(contents.isStateless(request));
		McpTestHandler first = this.script.find(request.httpMethod());
		McpTestReply refusal = refusal(request);
		McpTestHandler scripted = (first != null) ? null : scripted(request, refusal);
		this.log.add(request);
		if (request.method().isEmpty()) {
			this.questions.answered(request.message());
		}
		Session session = request.session();
		if (session != null && request.isRequest()) {
			session.stateless(request.isStateless());
		}
		if (session != null && request.method().equals("notifications/cancelled")) {
			String id = request.message().path("params").path("requestId").toString();
			this.log.cancelled(session, id);
			this.subscriptions.cancelled(session.id(), id);
		}
		Mono<McpTestReply> reply = (first != null)
				? run(first, request)
					.flatMap((answer) -> orElse(answer, () -> served(request, refusal, scripted(request, refusal))))
				: served(request, refusal, scripted);
		return reply.flatMap((answer) -> begun(answer, request)).onErrorResume((ex) -> {
			logger.error("No reply to {}", request, ex);
			return Mono.just(McpTestReply.error(-32603, String.valueOf(ex.getMessage())));
		}).map((answer) -> request.isStateless() ? StatelessProtocol.complete(answer, request, contents) : answer);
	}

	private @Nullable McpTestHandler scripted(McpTestRequest request, @Nullable McpTestReply refusal) {
		return (refusal != null) ? null : this.script.find(request.method());
	}

	/**
	 * Return the reply to a request that reaches no session, otherwise {@code null}.
	 */
	private @Nullable McpTestReply refusal(McpTestRequest request) {
		if (!PATHS.contains(request.path())) {
			return McpTestReply.status(404);
		}
		if (!request.httpMethod().equals("POST")) {
			boolean refused = request.isStateless() && request.header("Sec-WebSocket-Key") == null;
			return refused ? McpTestReply.status(405) : McpTestReply.standard();
		}
		if (request.path().endsWith("/sse")) {
			return McpTestReply.status(405);
		}
		if (request.isStateless()) {
			McpTestReply refusal = StatelessProtocol.refusal(request, this.contents);
			return (refusal != null) ? refusal : this.rounds.refusal(request);
		}
		// a script can define the response of a server without this method
		return (isLost(request) && !request.method().equals("server/discover")) ? this.unknownSession : null;
	}

	private boolean isLost(McpTestRequest request) {
		return request.session() == null && this.usesSessions && !request.isStateless()
				&& !request.method().equals("initialize");
	}

	private Mono<McpTestReply> served(McpTestRequest request, @Nullable McpTestReply refusal,
			@Nullable McpTestHandler scripted) {
		if (refusal != null) {
			return Mono.just(refusal);
		}
		request.accept();
		this.log.changed();
		return run(scripted, request).flatMap((reply) -> orElse(reply, () -> standard(request)));
	}

	private Mono<McpTestReply> standard(McpTestRequest request) {
		if (isLost(request)) {
			return Mono.just(this.unknownSession);
		}
		if (request.isStateless() && request.method().equals("subscriptions/listen")) {
			return Mono.just(this.subscriptions.listen(request, this.contents.capabilities()));
		}
		Mono<McpTestReply> aboutTask = this.tasks.reply(request);
		return (aboutTask != null) ? aboutTask : run(this.contents.handler(request), request);
	}

	/**
	 * Begin a round of input requests or a task after the reply.
	 */
	private Mono<McpTestReply> begun(McpTestReply reply, McpTestRequest request) {
		McpTestReply refusal = request.isStateless() ? this.rounds.begin(request, reply) : null;
		McpTestReply.TaskWork work = reply.taskWork();
		if (refusal != null || work == null) {
			return Mono.just((refusal != null) ? refusal : reply);
		}
		Contents contents = this.contents;
		JsonNode support = contents.tools().definition(request.name()).path("execution").path("taskSupport");
		boolean wanted = request.params().containsKey("task") && contents.capabilities().containsKey("tasks");
		return (request.isStateless() || wanted) ? Mono.just(this.tasks.begin(work, request))
				: this.tasks.call(work, request, support.asString("").equals("required"));
	}

	private static Mono<McpTestReply> orElse(McpTestReply reply, Supplier<Mono<McpTestReply>> next) {
		return (reply.kind() == McpTestReply.Kind.STANDARD) ? next.get().map(reply::over) : Mono.just(reply);
	}

	private Mono<McpTestReply> run(@Nullable McpTestHandler handler, McpTestRequest request) {
		if (handler == null) {
			return Mono.just(McpTestReply.standard());
		}
		return (handler instanceof Script.Fixed fixed) ? Mono.just(fixed.reply())
				: Mono.fromCallable(() -> handler.reply(request)).subscribeOn(this.scheduler);
	}

	/**
	 * Send a reply on the only stream that a client has.
	 */
	void push(McpTestReply reply, McpTestRequest request, Session session) {
		reply.messages(request.idNode()).doOnComplete(() -> {
			if (reply.kind() != McpTestReply.Kind.NEVER) {
				this.log.done(request);
			}
		}).subscribe(session::push);
	}

	@Nullable Session session(@Nullable String id) {
		if (!this.usesSessions) {
			return this.sessions.computeIfAbsent("", (key) -> new Session(key, true));
		}
		return (id != null) ? this.sessions.get(id) : null;
	}

	String beginSession(@Nullable String id) {
		String known = (id != null) ? id : UUID.randomUUID().toString();
		this.sessions.put(known, new Session(known, true));
		this.log.changed();
		return known;
	}

	Session openSession(boolean streamPerRequest) {
		Session session = new Session(UUID.randomUUID().toString(), streamPerRequest);
		session.stateless(this.contents.isStateless());
		this.sessions.put(session.id(), session);
		this.log.changed();
		return session;
	}

	void endSession(@Nullable String id) {
		Session session = (id != null) ? this.sessions.remove(id) : null;
		if (session != null) {
			session.endStream();
		}
		if (id != null) {
			this.subscriptions.cancelled(id, null);
		}
		this.log.changed();
	}

	void forgetSessions() {
		this.sessions.clear();
		this.log.changed();
	}

	void sendToClients(String text) {
		this.sessions.values().forEach((session) -> session.push(Flux.just(text)));
		this.subscriptions.send(text);
	}

	void notifyClients(String method, Map<String, ?> params) {
		String text = McpTestReply.notification(method, params);
		statefulSessions().forEach((session) -> session.push(Flux.just(text)));
		this.subscriptions.notify(method, params);
	}

	int listeners() {
		return (int) statefulSessions().filter(Session::isListening).count() + this.subscriptions.count();
	}

	void closeStreams() {
		statefulSessions().forEach(Session::endStream);
		this.subscriptions.close();
	}

	Subscriptions subscriptions() {
		return this.subscriptions;
	}

	private Stream<Session> statefulSessions() {
		return this.sessions.values().stream().filter((session) -> !session.isStateless());
	}

}
