package io.github.mcpclient.autoconfigure;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpTool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * Tests for {@link ToolBeans}.
 */
class ToolBeansTests {

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(App.class);

	private volatile Map<String, McpTool> listed = Map.of();

	private final ToolBeans beans = new ToolBeans(this.context.getDefaultListableBeanFactory(), 10_000);

	private final McpTool search = tool("a_search");

	private final McpTool write = tool("a_write");

	@BeforeEach
	void lookUpBefore() {
		// fills the cache of the bean factory
		assertThat(this.context.getBeansOfType(McpTool.class)).isEmpty();
	}

	@Test
	void eachToolIsABean() {
		show(Map.of("a_search", this.search, "a_write", this.write));
		assertThat(this.context.getBean("a_search")).isSameAs(this.search);
		assertThat(this.context.getBean("a_write", McpTool.class)).isSameAs(this.write);
		assertThat(visible()).containsExactlyInAnyOrder("a_search", "a_write");
	}

	@Test
	void aToolThatGoesIsHiddenAndComesBack() {
		show(Map.of("a_search", this.search, "a_write", this.write));
		assertThat(visible()).hasSize(2);
		show(Map.of("a_write", this.write));
		assertThat(visible()).containsExactly("a_write");
		show(Map.of("a_search", this.search, "a_write", this.write));
		assertThat(visible()).containsExactlyInAnyOrder("a_search", "a_write");
	}

	@Test
	void hidingAToolDestroysNoBeanThatInjectedIt() {
		show(Map.of("a_search", this.search));
		Controller lazy = this.context.getBean("lazyController", Controller.class);
		assertThat(lazy.search.name()).isEqualTo("a_search");
		Controller eager = this.context.getBean("eagerController", Controller.class);
		assertThat(eager.search).isSameAs(this.search);
		show(Map.of());
		show(Map.of("a_write", this.write));
		assertThat(lazy.destroyed).isFalse();
		assertThat(eager.destroyed).isFalse();
		assertThat(this.context.getBean("eagerController")).isSameAs(eager);
	}

	@Test
	void aToolNamedLikeABeanOfTheApplicationGetsNone() {
		McpTool hostile = tool("lazyService");
		show(Map.of("lazyService", hostile, "alias", tool("alias"), "created", tool("created")));
		assertThat(visible()).isEmpty();
		assertThat(this.beans.refusal(tool("lazyService"))).isEqualTo(ToolBeans.REFUSED);
		assertThat(this.beans.refusal(tool("alias"))).isEqualTo(ToolBeans.REFUSED);
		assertThat(this.beans.refusal(tool("created"))).isEqualTo(ToolBeans.REFUSED);
		assertThat(this.context.getBean("lazyService")).isEqualTo("the application's");
		assertThat(this.context.getBean("alias")).isEqualTo("the application's");
	}

	@Test
	void onlyTheToolsOfTheNamesAreLookedAt() {
		Map<String, McpTool> many = mock();
		given(many.get("a_write")).willReturn(this.write);
		given(many.getOrDefault("a_write", this.write)).willReturn(this.write);
		this.beans.show(List.of("a_write", "a_gone"), () -> many);
		assertThat(this.context.getBean("a_write")).isSameAs(this.write);
		assertThat(this.context.containsBean("a_gone")).isFalse();
		then(many).should(never()).forEach(any());
		then(many).should(never()).entrySet();
		then(many).should(never()).values();
	}

	@Test
	void theNumberOfBeansIsBounded() {
		ToolBeans bounded = new ToolBeans(this.context.getDefaultListableBeanFactory(), 10);
		for (int i = 0; i < 100; i++) {
			this.listed = Map.of("s_" + i, tool("s_" + i));
			bounded.show(this.listed.keySet(), () -> this.listed);
		}
		assertThat(this.context.containsBean("s_9")).isTrue();
		assertThat(this.context.containsBean("s_10")).isFalse();
		assertThat(visible()).isEmpty();
		assertThat(bounded.refusal(tool("s_9"))).isNull();
		assertThat(bounded.refusal(tool("s_10"))).isEqualTo("not a bean, though in the catalog: there are as many as"
				+ " mcp.tools.beans.max (10). Raise it, or inject the tool with @Qualifier");
	}

	@Test
	void aBeanStaysThatOfItsServer() {
		McpTool other = tool("a_search");
		show(Map.of("a_search", this.search));
		assertThat(this.context.getBean("a_search")).isSameAs(this.search);
		given(this.search.serverName()).willReturn("a");
		show(Map.of("a_search", other));
		assertThat(visible()).isEmpty();
		assertThat(this.context.getBean("a_search")).isSameAs(this.search);
		assertThat(this.beans.refusal(other))
			.isEqualTo("not a bean, though in the catalog: the bean of that name stays that of server 'a'");
		assertThat(this.beans.refusal(this.search)).isNull();
	}

	@Test
	void aBeanThatNobodyHasYetFollowsItsName() {
		McpTool other = tool("a_search");
		show(Map.of("a_search", this.search));
		show(Map.of("a_search", other));
		assertThat(this.beans.refusal(other)).isNull();
		assertThat(this.context.getBean("a_search")).isSameAs(other);
	}

	@Test
	void twoThreadsMayShowAtATime() throws Exception {
		Map<String, McpTool> tools = new TreeMap<>();
		for (int i = 0; i < 500; i++) {
			tools.put("t" + i, tool("t" + i));
		}
		this.listed = tools;
		CompletableFuture<Void> other = CompletableFuture
			.runAsync(() -> this.beans.show(this.listed.keySet(), () -> this.listed));
		this.beans.show(this.listed.keySet(), () -> this.listed);
		// whoever is first to return finds all beans
		assertThat(tools.keySet()).allMatch(this.context::containsBean);
		other.get(60, TimeUnit.SECONDS);
		assertThat(visible()).containsExactlyInAnyOrderElementsOf(tools.keySet());
		assertThat(tools.values()).allMatch((tool) -> this.beans.refusal(tool) == null);
	}

	private void show(Map<String, McpTool> tools) {
		this.listed = tools;
		this.beans.show(this.listed.keySet(), () -> this.listed);
	}

	private List<String> visible() {
		List<String> byProvider = this.context.getBeanProvider(McpTool.class).stream().map(McpTool::name).toList();
		assertThat(this.context.getBeansOfType(McpTool.class).values()).extracting(McpTool::name)
			.containsExactlyInAnyOrderElementsOf(byProvider);
		return byProvider;
	}

	@Test
	void nameThatGoesToAnotherServerMeanwhileIsThatOfItsTool() {
		McpTool next = tool("a_search");
		Iterator<McpTool> tools = List.of(this.search, next).iterator();
		this.beans.show(List.of("a_search"), () -> Map.of("a_search", tools.hasNext() ? tools.next() : next));
		assertThat(visible()).containsExactly("a_search");
		assertThat(this.context.getBean("a_search")).isSameAs(next);
	}

	private static McpTool tool(String name) {
		McpTool tool = mock(McpTool.class);
		given(tool.name()).willReturn(name);
		return tool;
	}

	static class App {

		@Bean({ "lazyService", "alias" })
		@Lazy
		String lazyService() {
			return "the application's";
		}

		@Bean
		Integer created() {
			return 1;
		}

		@Bean
		@Lazy
		Controller lazyController(@Lazy @Qualifier("a_search") McpTool search) {
			return new Controller(search);
		}

		@Bean
		@Lazy
		Controller eagerController(@Qualifier("a_search") McpTool search) {
			return new Controller(search);
		}

	}

	static class Controller implements DisposableBean {

		final McpTool search;

		boolean destroyed;

		Controller(McpTool search) {
			this.search = search;
		}

		@Override
		public void destroy() {
			this.destroyed = true;
		}

	}

}
