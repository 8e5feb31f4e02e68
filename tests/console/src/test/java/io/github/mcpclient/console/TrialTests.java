package io.github.mcpclient.console;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.support.ui.Select;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the console tries what servers offer: tools with each kind of argument and
 * result, prompts, resources and templates.
 */
class TrialTests {

	private static final McpTestServer server = TrialServer.create().start();

	private static final ClientApplication application = Console.unrestricted("mcp.servers.trial.url=" + server.url());

	@RegisterExtension
	private final Browser browser = new Browser();

	@BeforeEach
	void forget() {
		server.forgetRequests();
	}

	private void open(String path) {
		this.browser.open(Console.url(application, "trial/" + path));
		this.browser.find("[data-action=call]");
	}

	private void go(String path) {
		this.browser.go("/server/trial/" + path);
		this.browser.find("[data-action=call]");
	}

	private void call() {
		this.browser.press("Call");
	}

	private void select(String path, String option) {
		new Select(this.browser.find("[data-path='" + path + "'] select")).selectByVisibleText(option);
	}

	private void include(String path) {
		String selector = "[data-path='" + path + "'] > .field-head .include";
		this.browser.await("all(values[0]).length", selector);
		this.browser.now("document.querySelector(values[0]).click()", selector);
	}

	@Test
	void aFormMakesEachKindOfArgument() {
		open("tools/order");
		this.browser.type("[data-path='/product'] textarea", "tea");
		this.browser.type("[data-path='/count'] input:not([type=checkbox])", "5");
		this.browser.type("[data-path='/weight'] input:not([type=checkbox])", "1.25");
		this.browser.type("[data-path='/address/city'] textarea", "Ghent");
		include("/size");
		select("/size", "medium");
		select("/gift", "false");
		include("/tags");
		this.browser.click("[data-path='/tags'] [data-add]");
		this.browser.click("[data-path='/tags'] [data-add]");
		this.browser.type("[data-path='/tags/0'] textarea", "hot");
		this.browser.type("[data-path='/tags/1'] textarea", "sweet");
		include("/payment");
		select("/payment", "By invoice");
		this.browser.type("[data-path='/payment/days'] input:not([type=checkbox])", "30");
		include("/note");
		select("/note", "null");
		this.browser.type("[data-path='/extra'] textarea", "{\"any\": [1, true, null]}");
		call();
		this.browser.find("#result[data-outcome=result]");
		Map<String, Object> any = new HashMap<>();
		any.put("any", Arrays.asList(1, true, null));
		Map<String, Object> expected = new HashMap<>(Map.of("product", "tea", "count", 5, "weight", 1.25, "gift", false,
				"size", "medium", "address", Map.of("city", "Ghent"), "tags", List.of("hot", "sweet"), "payment",
				Map.of("days", 30), "extra", any));
		expected.put("note", null);
		assertThat(server).hasReceivedCall("order").hasArguments(expected);
	}

	@Test
	void defaultsAreFilledInAndWhatIsNotWantedIsNotSent() {
		open("tools/order");
		this.browser.type("[data-path='/product'] textarea", "tea");
		this.browser.type("[data-path='/address/city'] textarea", "Ghent");
		call();
		this.browser.find("#result[data-outcome=result]");
		assertThat(server).hasReceivedCall("order")
			.hasArguments(Map.of("product", "tea", "count", 3, "gift", true, "address", Map.of("city", "Ghent")));
	}

	@Test
	void whatDoesNotFitTheSchemaIsSaidAtItsField() {
		open("tools/order");
		this.browser.type("[data-path='/count'] input:not([type=checkbox])", "12");
		call();
		this.browser.see("[data-path='/count'] > .field-error", "at most 9");
		this.browser.see("[data-path='/product'] > .field-error", "required");
		this.browser.find("[data-path='/count'] [aria-invalid=true]");
		assertThat(server.calls()).isEmpty();
	}

	@Test
	void argumentsAreWrittenAsJsonAndCheckedAgainstTheSchemaToo() {
		open("tools/order");
		this.browser.press("JSON");
		this.browser.type("textarea[data-json]", "{\"product\": \"tea\", \"address\": {}}");
		call();
		this.browser.see("[data-call-form]", "/address/city");
		assertThat(server.calls()).isEmpty();
		this.browser.type("textarea[data-json]",
				"{\"product\": \"tea\", \"address\": {\"city\": \"Ghent\"}, \"tags\": [\"a\"]}");
		call();
		this.browser.find("#result[data-outcome=result]");
		assertThat(server).hasReceivedCall("order")
			.hasArguments(Map.of("product", "tea", "address", Map.of("city", "Ghent"), "tags", List.of("a")));
		this.browser.press("Form");
		assertThat(this.browser.now("document.querySelector(\"[data-path='/tags/0'] textarea\").value")).isEqualTo("a");
	}

	/**
	 * What the application refuses, which the page cannot know.
	 */
	@Test
	void whatOnlyTheApplicationFindsIsSaidAtItsFieldToo() {
		open("tools/order");
		this.browser.type("[data-path='/product'] textarea", "tea");
		this.browser.type("[data-path='/address/city'] textarea", "Ghent");
		this.browser.type("[data-path='/address/zip'] textarea", "here");
		call();
		this.browser.see("[data-path='/address/zip'] > .field-error", "pattern");
		assertThat(server.calls()).isEmpty();
	}

	@Test
	void aResultIsShownAsWhatItIs() {
		open("tools/order");
		sees("text", "result", "[data-result=text] pre", "the second one indented");
		sees("tree", "result", "[data-structured] .tree", "Ghent");
		sees("table", "result", "table[data-result=table] tr", "Emma");
		sees("link", "result", "[data-result=resource_link]", "file:///notes.txt");
		sees("embedded", "result", "[data-result=resource]", "Inside the result.");
		sees("wrong", "error", "[data-result=text]", "There is no such book.");
		sees("failing", "failure", ".problem", "The shelf is broken.");
	}

	private void sees(String tool, String outcome, String selector, String text) {
		go("tools/" + tool);
		call();
		this.browser.find("#result[data-outcome=" + outcome + "] [data-duration]");
		if (tool.equals("tree")) {
			this.browser.press("[data-structured]", "library {2}");
		}
		this.browser.see("#result " + selector, text);
	}

	@Test
	void aPictureIsShownAndASoundIsHeard() {
		open("tools/picture");
		call();
		this.browser.await("all('#result img')[0]?.naturalWidth === 1");
		go("tools/sound");
		call();
		this.browser.await("all('#result audio')[0]?.duration > 0.09");
	}

	@Test
	void progressIsShownAndACallIsCancelled() {
		CompletableFuture<Void> never = new CompletableFuture<>();
		server.tool(TrialServer.readOnly("slow"), (request) -> {
			request.progress(3, 10);
			return McpTestReply.text("late").after(never);
		});
		application.manager().server("trial").refresh();
		open("tools/slow");
		call();
		this.browser.await("all('progress')[0]?.value === 3 && all('progress')[0].max === 10");
		this.browser.press("Cancel");
		this.browser.find("#result[data-outcome=cancelled]");
		server.awaitRequest("notifications/cancelled");
		this.browser.await("!all('progress').length");
		never.complete(null);
	}

	/**
	 * Whatever the length of the form is.
	 */
	@Test
	void aCallAndWhatComesOfItAreSeenWithoutScrolling() {
		CompletableFuture<Void> end = new CompletableFuture<>();
		server.tool(TrialServer.readOnly("steps"), (request) -> {
			request.progress(1, 2);
			return McpTestReply.text("arrived").after(end);
		});
		application.manager().server("trial").refresh();
		this.browser.size(1280, 900);
		open("tools/order");
		assertSeen("[data-action=call]");
		assertSeen("#result");
		go("tools/steps");
		assertSeen("[data-action=call]");
		call();
		this.browser.find("progress");
		assertSeen("progress");
		assertSeen("[data-action=cancel]");
		end.complete(null);
		this.browser.see("#result[data-outcome=result]", "arrived");
		assertSeen("[data-result=text]");
	}

	private void assertSeen(String selector) {
		Object box = this.browser.now("""
				(({top, bottom}) => [scrollY, top >= 0, bottom <= innerHeight].join())\
				(document.querySelector(values[0]).getBoundingClientRect())""", selector);
		assertThat(box).as(selector).isEqualTo("0,true,true");
	}

	@Test
	void whatMayDestroyIsCalledOnlyAfterAsking() {
		open("tools/erase");
		call();
		this.browser.see("dialog[open]", "Call erase?");
		this.browser.key(Keys.ESCAPE);
		this.browser.await("!all('dialog').length");
		call();
		this.browser.press("Do not call it");
		this.browser.await("!all('dialog').length");
		assertThat(server.calls()).isEmpty();
		call();
		this.browser.press("Call it");
		this.browser.see("#result[data-outcome=result]", "Erased.");
		assertThat(server.calls()).hasSize(1);
	}

	@Test
	void aCallIsCopiedAsJavaAndAsCurl() {
		open("tools/order");
		this.browser.type("[data-path='/product'] textarea", "tea's \"best\"");
		this.browser.press("Copy as Java");
		this.browser.see("[data-snippet=java]", "\"product\", \"tea's \\\"best\\\"\"");
		this.browser.see("[data-snippet=java]", "trial_order");
		this.browser.press("Copy as curl");
		this.browser.see("[data-snippet=curl]", server.url());
		this.browser.see("[data-snippet=curl]", "tools/call");
	}

	@Test
	void aPromptIsFilledIn() {
		open("prompts/greet");
		call();
		this.browser.see("[data-path='/who'] > .field-error", "required");
		this.browser.type("[data-path='/who'] textarea", "Anna");
		call();
		this.browser.see("#result", "Say hello to Anna.");
	}

	@Test
	void aResourceIsReadByItselfAndByATemplate() {
		open("resources/file%3A%2F%2F%2Fnotes.txt");
		call();
		this.browser.see("#result", "Buy milk.");
		go("resources/book%3A%2F%2F%2F%7Btitle%7D");
		this.browser.type("[data-path='/title'] textarea", "Moby Dick");
		call();
		this.browser.see("#result", "The text of book:///Moby%20Dick");
	}

}
