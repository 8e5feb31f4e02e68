package io.github.mcpclient.internal.tool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolInterceptor.Chain;
import io.github.mcpclient.McpToolInterceptor.Phase;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.internal.schema.SchemaCheck;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.internal.support.ServerThreads.Limits;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.spi.McpToolListingCustomizer;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolChain}: what interceptors know of a call, and what they can do to
 * its time.
 */
class ToolChainTests extends TestTools {

	private static final McpToolRequest REQUEST = McpToolRequest.of(Map.of()).withTimeout(Duration.ofSeconds(5));

	private final VirtualScheduler time = new VirtualScheduler();

	private final ServerThreads threads = new ServerThreads("test", new Limits(2, 2), Executors.newCachedThreadPool(),
			this.time);

	private final List<McpToolInterceptor> interceptors = new ArrayList<>();

	private final CatalogFixture servers = new CatalogFixture(
			new ToolSettings(
					List.of(), McpToolPolicy.UNRESTRICTED, null, new ToolCaller(() -> this.interceptors,
							() -> this.threads, new SchemaCheck.Threads(this.time), this.time, null),
					Map.of(), TestToolSettings.NO_CUSTOMIZERS),
			server("a"));

	@AfterEach
	void stop() {
		this.threads.dispose();
	}

	@Test
	void theTimeOfTheCallRunsAfterTheApplication() {
		List<Duration> remaining = new ArrayList<>();
		for (Phase phase : List.of(Phase.CALL, Phase.APPLICATION, Phase.ARGUMENTS)) {
			this.interceptors.add(new Async(phase, (chain) -> {
				remaining.add(chain.remaining());
				return Mono.delay(Duration.ofSeconds(2), this.time)
					.doOnNext((tick) -> remaining.add(chain.remaining()))
					.then(chain.proceedAsync(REQUEST));
			}));
		}
		CompletableFuture<McpToolResult> call = echo().callAsync(REQUEST).toFuture();
		this.time.advance(Duration.ofSeconds(6));
		assertThat(call).isCompleted();
		assertThat(remaining).map(Duration::toSeconds).containsExactly(5L, 5L, 5L, 3L, 3L, 1L);
	}

	@Test
	void oneThatNeverEndsCostsNoMoreThanTheTimeOfTheCall() {
		AtomicBoolean cancelled = new AtomicBoolean();
		this.interceptors.add(new Async(Phase.APPROVAL,
				(chain) -> Mono.<McpToolResult>never().doOnCancel(() -> cancelled.set(true))));
		CompletableFuture<McpToolResult> call = echo().callAsync(REQUEST).toFuture();
		this.time.advance(Duration.ofSeconds(7));
		assertThat(call).isNotDone();
		this.time.advance(Duration.ofSeconds(1));
		assertThat(call).isCompletedExceptionally();
		assertThat(call.handle((result, failure) -> failure).join()).isInstanceOf(McpRequestTimeoutException.class)
			.hasMessageContaining("tools/call x within 5000 ms");
		assertThat(cancelled).isTrue();
	}

	@Test
	void onlyThoseOfTheApplicationRunOnTheThreadOfACallerWhoWaits() {
		List<Thread> ran = new ArrayList<>();
		for (Phase phase : List.of(Phase.APPLICATION, Phase.APPROVAL)) {
			this.interceptors.add(new Blocking(phase, (chain) -> {
				ran.add(Thread.currentThread());
				return chain.proceed(REQUEST);
			}));
		}
		assertThat(echo().call(REQUEST).isError()).isFalse();
		assertThat(ran).hasSize(2).first().isEqualTo(Thread.currentThread());
		assertThat(ran).last().isNotEqualTo(Thread.currentThread());
	}

	@Test
	void whetherTheToolChangedIsKnownAtOnce() {
		List<Boolean> unchanged = new ArrayList<>();
		this.interceptors.add(new Async(Phase.APPROVAL, (chain) -> {
			unchanged.add(chain.toolUnchanged());
			this.servers.list("a", tool("x"), tool("y"));
			unchanged.add(chain.toolUnchanged());
			this.servers.list("a", tool("x", "does something else", null), tool("y"));
			unchanged.add(chain.toolUnchanged());
			return chain.proceedAsync(REQUEST);
		}));
		echo().call(REQUEST);
		assertThat(unchanged).containsExactly(true, true, false);
	}

	@Test
	void oneThatAToolIsListedWithMeanwhileIsNotSkipped() {
		List<String> ran = new ArrayList<>();
		McpToolListingCustomizer customizer = (listed) -> {
			if ("does something else".equals(listed.tool().description())) {
				listed.intercept(new Async(Phase.APPLICATION, (chain) -> {
					ran.add("listed, " + chain.remaining().toSeconds() + " s");
					return chain.proceedAsync(REQUEST);
				}));
			}
		};
		CatalogFixture servers = new CatalogFixture(
				new ToolSettings(List.of(), McpToolPolicy.UNRESTRICTED, null,
						new ToolCaller(() -> this.interceptors, () -> this.threads, new SchemaCheck.Threads(this.time),
								this.time, null),
						Map.of(),
						new ListingCustomizers(List.of(customizer),
								new ServerThreads("listing", new Limits(1, 1), Runnable::run, this.time), this.time)),
				server("a"));
		this.interceptors.add(new Async(Phase.APPLICATION, (chain) -> {
			ran.add("application");
			servers.list("a", tool("x", "does something else", null));
			return chain.proceedAsync(REQUEST);
		}));
		servers.connections.get("a").calls = (call) -> Mono.just(new CallToolResult(List.of(), false, null, null));
		servers.list("a", tool("x"));
		assertThat(servers.catalog.get("a_x").call(REQUEST).isError()).isFalse();
		assertThat(ran).containsExactly("application", "listed, 5 s");
	}

	@Test
	void asWhatAServerSeesACall() {
		List<Object> seen = new ArrayList<>();
		this.interceptors.add(new Async(Phase.CACHE,
				(chain) -> chain.identity().doOnNext(seen::add).then(chain.proceedAsync(REQUEST))));
		McpTool x = echo();
		x.call(REQUEST);
		x.call(REQUEST);
		assertThat(seen.get(1)).isEqualTo(seen.get(0)).hasSameHashCodeAs(seen.get(0));
		this.servers.list("a", tool("x"), tool("y"));
		x.call(REQUEST);
		this.servers.catalog.get("a_y").call(REQUEST);
		this.servers.connections.get("a").authorization = "s3cr3t";
		x.call(REQUEST);
		assertThat(seen).hasSize(5);
		assertThat(seen.subList(1, 5)).doesNotHaveDuplicates();
		assertThat(seen.toString()).doesNotContain("s3cr3t");
	}

	@Test
	void anInterceptorOfTheApplicationMayAskForTheIdentityToo() {
		List<Object> seen = new ArrayList<>();
		this.interceptors.add(new Blocking(Phase.APPLICATION, (chain) -> {
			seen.add(chain.identity().block());
			return chain.proceed(REQUEST);
		}));
		McpTool x = echo();
		x.call(REQUEST);
		x.call(REQUEST);
		assertThat(seen.get(1)).isEqualTo(seen.get(0));
	}

	private McpTool echo() {
		this.servers.connections.get("a").calls = (call) -> Mono.just(new CallToolResult(List.of(), false, null, null));
		this.servers.list("a", tool("x"));
		return this.servers.catalog.get("a_x");
	}

	private record Async(Phase phase, Function<Chain, Mono<McpToolResult>> code) implements McpToolInterceptor.Async {

		@Override
		public Mono<McpToolResult> interceptAsync(McpTool tool, McpToolRequest request, Chain chain) {
			return this.code.apply(chain);
		}

	}

	private record Blocking(Phase phase, Function<Chain, McpToolResult> code) implements McpToolInterceptor {

		@Override
		public McpToolResult intercept(McpTool tool, McpToolRequest request, Chain chain) {
			return this.code.apply(chain);
		}

	}

}
