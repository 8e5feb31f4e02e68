package io.github.mcpclient.internal.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.mcpclient.internal.model.SearchIndex.Document;
import io.github.mcpclient.internal.model.SearchIndex.Hit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link SearchIndex}.
 */
class SearchIndexTests {

	private final List<Document<String>> documents = new ArrayList<>();

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "listPullRequests | list pull request listpullrequest", "read_file-now | read fil now",
					"HTTPServer | http server httpserver", "URLs of PDFs | url pdf", "base64 | bas 64 base64",
					"k8s | k8s", "GitHub's repos | git hub github repo",
					"deletes deleted deleting deletion | delet delet delet delet", "entries, entry | entry entry",
					"running stopped calling | run stop call", "the status of a process | status process",
					"\u6587\u4ef6 | \u6587 \u4ef6 \u6587\u4ef6", "a 1 . _ | ''" })
	void textsAndNamesAreSplitIntoWords(String text, String words) {
		List<String> found = new ArrayList<>();
		Words.split(text, 100, (word) -> found.add(word.text()));
		assertThat(String.join(" ", found)).isEqualTo(words);
	}

	@Test
	void wordsAreFoundWhereverTheyAre() {
		add("a", "title", "text", Map.of("path", Map.of("description", "where")));
		add("createPullRequest", null, null, Map.of());
		assertThat(search("a title")).containsExactly("a");
		assertThat(search("TEXT")).containsExactly("a");
		assertThat(search("path")).containsExactly("a");
		assertThat(search("where is it?")).isEmpty();
		assertThat(search("pull requests")).containsExactly("createPullRequest");
		assertThat(search("create-pull-request")).containsExactly("createPullRequest");
		assertThat(search("createPullRequest")).containsExactly("createPullRequest");
		assertThat(search("other")).isEmpty();
	}

	@Test
	void namesSayMoreThanDescriptionsAndRareWordsThanFrequentOnes() {
		add("one_list_files", null, "Lists files", Map.of());
		add("two_open", null, "Opens a file of a list", Map.of());
		add("three_print", null, "Prints a file", Map.of());
		assertThat(search("file")).containsExactly("one_list_files", "three_print", "two_open");
		assertThat(search("print file")).startsWith("three_print");
	}

	@Test
	void aSynonymCountsLessThanTheWord() {
		add("a_remove", null, null, Map.of());
		add("b_delete", null, null, Map.of());
		assertThat(search("delete")).containsExactly("b_delete", "a_remove");
		assertThat(search("erase")).containsExactly("a_remove", "b_delete");
	}

	@Test
	void aWholeWordCountsOnceAndItsPartsWhereNoToolHasIt() {
		add("github_merge", null, "Merges", Map.of());
		add("other_merge", null, "Merges on GitHub", Map.of());
		add("git_log", null, "Shows a log", Map.of());
		assertThat(search("GitHub")).containsExactly("github_merge", "other_merge");
		assertThat(search("GitLog")).startsWith("git_log");
	}

	@Test
	void equallyGoodOnesAreInOrder() {
		IntStream.range(0, 100).map((i) -> 99 - i).forEach((i) -> add("tool_%02d".formatted(i), null, null, Map.of()));
		assertThat(search("tool", 3)).containsExactly("tool_00", "tool_01", "tool_02");
		assertThat(search("tool", Integer.MAX_VALUE)).hasSize(100).isSorted();
		assertThat(search("tool", 0)).isEmpty();
		assertThat(search(" ", 3)).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> search("tool", -1)).withMessageContaining("-1");
	}

	@Test
	void stuffedTextsDoNotComeFirst() {
		add("mail_send", null, "Sends an email", Map.of("to", Map.of("description", "The recipient")));
		add("x", null, "send email ".repeat(100_000), Map.of());
		add("y", null, "send email file read write list delete issue search page ".repeat(50), Map.of());
		add("z_send_email_" + "send_email_".repeat(20), null, null, Map.of());
		assertThat(search("send an email", 1)).containsExactly("mail_send");
	}

	@Test
	void whatIsKeptOfAToolIsBounded() {
		Map<String, Object> parameters = new LinkedHashMap<>();
		IntStream.range(0, 100_000).forEach((i) -> parameters.put("p" + i, Map.of("description", "d" + i)));
		add("a", "t".repeat(1_000_000), "word" + "x y1z2 ".repeat(1_000_000), parameters);
		add("b", null, String.join(" ", IntStream.range(0, 100_000).mapToObj((i) -> "w" + i + "w").toList()), Map.of());
		assertThat(search("w5w")).containsExactly("b");
		assertThat(search("w999w")).isEmpty();
		assertThat(this.documents).allSatisfy((document) -> assertThat(document.size()).isLessThanOrEqualTo(56));
	}

	@Test
	void aQueryIsReadInPart() {
		add("first", null, null, Map.of());
		add("last", null, null, Map.of());
		assertThat(search("first " + "x".repeat(1_000_000) + " last")).containsExactly("first");
		String others = String.join(" ", IntStream.range(100, 200).mapToObj((i) -> "w" + i).toList());
		assertThat(search("first " + others + " last")).containsExactly("first");
	}

	@Test
	void oddSchemasAreNoProblem() {
		Map<String, Object> properties = new LinkedHashMap<>();
		properties.put(null, null);
		properties.put("known", List.of());
		properties.put("other", Collections.singletonMap("description", 5));
		add("a", null, null, properties);
		this.documents.add(new Document<>("b", List.of("b"), null, null, Map.of("properties", "odd")));
		assertThat(search("known other")).containsExactly("a");
	}

	private void add(String name, String title, String description, Map<String, Object> properties) {
		this.documents.add(new Document<>(name, List.of(name), title, description, Map.of("properties", properties)));
	}

	private List<String> search(String query) {
		return search(query, 10);
	}

	// in two parts, as of servers
	private List<String> search(String query, int max) {
		int half = this.documents.size() / 2;
		return SearchIndex.search(
				List.of(new SearchIndex<>(this.documents.subList(0, half)),
						new SearchIndex<>(this.documents.subList(half, this.documents.size()))),
				query, max, (tool) -> true, Comparator.naturalOrder())
			.stream()
			.map(Hit::tool)
			.toList();
	}

}
