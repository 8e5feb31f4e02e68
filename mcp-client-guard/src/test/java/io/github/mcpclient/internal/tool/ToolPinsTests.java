package io.github.mcpclient.internal.tool;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpToolPinning;
import io.github.mcpclient.guard.TestGuard;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.internal.support.ServerThreads.Limits;
import io.github.mcpclient.spi.McpToolPinStore;
import io.github.mcpclient.testsupport.CapturedLog;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests of approved definitions in a catalog.
 */
class ToolPinsTests extends TestTools implements McpToolPinStore {

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	private final List<ApprovedTool> approved = new ArrayList<>();

	private @Nullable String failure;

	private int reads;

	private Executor threads = Runnable::run;

	private Runnable stored = () -> {
	};

	private final CatalogFixture fixture = fixture(false);

	private CatalogFixture fixture(boolean pinFirstListing) {
		ServerThreads threads = new ServerThreads("test", new Limits(2, 10), (task) -> this.threads.execute(task),
				this.time);
		return new CatalogFixture(TestToolSettings.customized(TestGuard.of(this, pinFirstListing, threads, this.time),
				threads, this.time), server("off"), server("a", (server) -> server.toolPinning(McpToolPinning.BLOCK)));
	}

	@Override
	public Collection<ApprovedTool> approved(String serverName) {
		this.reads++;
		if (this.failure != null) {
			throw new IllegalStateException(this.failure);
		}
		return this.approved;
	}

	@Override
	public void approve(String serverName, Collection<ApprovedTool> tools) {
		this.approved.addAll(tools);
		this.stored.run();
	}

	private void list(String server, Tool... tools) {
		list(this.fixture, server, tools);
	}

	private void list(CatalogFixture fixture, String server, Tool... tools) {
		fixture.prepare(server, tools);
		this.time.advanceTimeBy(Duration.ofMillis(1));
		fixture.list(server, tools);
	}

	// each user has a connection, and may see other tools
	private void listForUser(TestConnection connection, Tool... tools) {
		ToolServer server = this.fixture.catalog.state().servers().get("a").server();
		this.fixture.catalog.servers()
			.listed(new ToolServer(server.definition(), connection, server.scope()), true, List.of(tools), Set.of(),
					(changes) -> {
					})
			.subscribe();
		this.time.advanceTimeBy(Duration.ofMillis(1));
	}

	@Test
	void aServerThatPinsNothingCostsNothing() {
		list("off", tool("x"));
		assertThat(this.fixture.names()).containsExactly("off_x");
		assertThat(this.reads).isZero();
	}

	@Test
	void aStoreThatFailsIsReadAgain() {
		approve(tool("x"));
		this.failure = "no database";
		list("a", tool("x"));
		assertThat(this.fixture.reason("a", "x"))
			.isEqualTo("tools.pinning is block, and the approved tools could not be read: no database");
		assertThat(this.fixture.events).isEmpty();
		// one that fails many times is read once for all of them
		list("a", tool("x"), tool("y"));
		int reads = this.reads;
		this.time.advanceTimeBy(TestGuard.RETRY);
		assertThat(this.reads).isEqualTo(reads + 1);
		this.failure = null;
		this.time.advanceTimeBy(TestGuard.RETRY);
		list("a", tool("x"), tool("y"));
		assertThat(this.fixture.names()).containsExactly("a_x");
		assertThat(this.fixture.events).hasSize(1);
		this.time.advanceTimeBy(TestGuard.RETRY.multipliedBy(2));
		assertThat(this.reads).isEqualTo(reads + 3);
	}

	@Test
	void whatIsReadAgainIsAppliedWithoutAnotherListing() {
		approve(tool("x"));
		this.failure = "no database";
		list("a", tool("x"));
		assertThat(this.fixture.names()).isEmpty();
		this.failure = null;
		this.time.advanceTimeBy(TestGuard.RETRY.plusMillis(1));
		assertThat(this.fixture.names()).containsExactly("a_x");
	}

	@Test
	void whatIsReadForAnotherUserIsAppliedToThoseWhoseReadFailed() {
		approve(tool("x"));
		this.failure = "no database";
		listForUser(this.fixture.connections.get("a"), tool("x"));
		this.fixture.list("a", tool("x"));
		assertThat(this.fixture.names()).isEmpty();
		this.failure = null;
		listForUser(new TestConnection("a"), tool("y"));
		this.time.advanceTimeBy(TestGuard.RETRY.plusMillis(1));
		assertThat(this.fixture.names()).containsExactly("a_x");
	}

	@Test
	void whatIsNoLongerApprovedIsWithheldFromUsersWhoAreConnected() {
		approve(tool("x"));
		listForUser(this.fixture.connections.get("a"), tool("x"));
		this.fixture.list("a", tool("x"));
		assertThat(this.fixture.names()).containsExactly("a_x");
		this.approved.clear();
		listForUser(new TestConnection("a"), tool("y"));
		assertThat(this.fixture.names()).isEmpty();
		assertThat(this.fixture.reason("a", "x")).isEqualTo("tools.pinning is block, and it was never approved");
	}

	@Test
	void whatIsReadAgainIsComparedWithTheLatestListing() {
		approve(tool("y"));
		this.failure = "no database";
		list("a", tool("x"));
		this.failure = null;
		list("a", tool("y"));
		this.failure = "no database";
		// a failure while the former is to be read again
		list("a", tool("y"), tool("z"));
		assertThat(this.fixture.names()).isEmpty();
		this.failure = null;
		this.time.advanceTimeBy(TestGuard.RETRY);
		assertThat(this.fixture.names()).containsExactly("a_y");
		int reads = this.reads;
		this.fixture.remove("a");
		this.time.advanceTimeBy(TestGuard.RETRY);
		assertThat(this.reads).isEqualTo(reads);
	}

	@Test
	void aServerThatIsReplacedIsComparedWithoutAnotherListing() {
		approve(tool("x"));
		McpServerDefinition open = server("a");
		this.fixture.redefine(open);
		list("a", tool("x"), tool("y"));
		assertThat(this.fixture.names()).containsExactly("a_x", "a_y");
		this.failure = "no database";
		this.fixture.redefine(server("a", (server) -> server.toolPinning(McpToolPinning.BLOCK)));
		assertThat(this.fixture.names()).isEmpty();
		this.failure = null;
		this.time.advanceTimeBy(TestGuard.RETRY);
		assertThat(this.fixture.names()).containsExactly("a_x");
	}

	@Test
	void anApprovalEndsThoughItsToolsAreNotInUseForLong() {
		list("a", tool("x"));
		String hash = TestGuard.approved(tool("x")).hash();
		// other code of the server has all threads then
		this.stored = () -> this.threads = (task) -> {
		};
		CompletableFuture<Void> approval = this.fixture.catalog.servers().approve("a", Map.of("x", hash)).toFuture();
		assertThat(this.approved).hasSize(1);
		assertThat(approval).isNotDone();
		this.time.advanceTimeBy(Duration.ofMinutes(1));
		assertThat(approval).isCompleted();
	}

	@Test
	void aToolThatIsTooDeepIsWithheldFromTheFirstListingOn() throws IOException {
		CatalogFixture first = fixture(true);
		Object deep = List.of();
		for (int i = 0; i < 400; i++) {
			deep = List.of(deep);
		}
		Tool tool = new Tool("deep", null, null, Map.of("x", deep), null, null, null, null);
		try (CapturedLog log = new CapturedLog("io.github.mcpclient.guard.ToolPins").open()) {
			list(first, "a", tool);
			assertThat(this.approved).isEmpty();
			list(first, "a", tool, tool("x"));
			list(first, "a", tool, tool("x"));
			assertThat(this.approved).extracting(ApprovedTool::name).containsExactly("x");
			assertThat(first.names()).containsExactly("a_x");
			assertThat(first.reason("a", "deep")).endsWith("its definition cannot be compared: more than 200 levels");
			assertThat(log.lines(Level.WARN)).singleElement()
				.asString()
				.contains("are withheld, since their definitions are not approved: " + "'deep' (more than 200 levels)");
		}
	}

	@Test
	void ofADefinitionThatIsTooLargeTheHashIsKept() {
		CatalogFixture first = fixture(true);
		Tool large = described("large", "x".repeat(600_000));
		list(first, "a", large, tool("x"));
		assertThat(this.approved).extracting(ApprovedTool::name, (tool) -> tool.definition() != null)
			.containsExactly(tuple("large", false), tuple("x", true));
		assertThat(first.names()).containsExactly("a_large", "a_x");
	}

	private void approve(Tool tool) {
		this.approved.add(TestGuard.approved(tool));
	}

	private static Tool described(String name, String description) {
		return new Tool(name, null, description, Map.of(), null, null, null, null);
	}

}
