package io.github.mcpclient.docs;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.ProjectFiles;
import io.github.mcpclient.testsupport.Unchecked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each snippet of the documentation is code of a test, configuration with
 * which an application starts, or a dependency of a module, and that links and names of
 * types are right.
 */
class DocumentationTests {

	private static final Path ROOT = ProjectFiles.root();

	private static final Pattern SNIPPET = Pattern.compile("(?ms)^( *)```(\\w*)\\n(.*?)^ *```$");

	private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

	private static final Pattern GLUED_HEADING = Pattern
		.compile("(?m)(?<=\\S\\h{0,9}\\n)^#{1,6} .*$|^#{1,6} .*$(?=\\n\\h*\\S)");

	private static final Pattern COORDINATES = Pattern.compile("([\\w.-]+):([\\w.-]+)(?::([\\w.-]+))?");

	private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([A-Z_]+)}");

	private static final Pattern TYPE = Pattern.compile("`((?:[A-Z][a-z0-9]+){2,})\\b[^`\n]*`");

	private static final Pattern UNCHECKED_TEXT = Pattern
		.compile("\\b(call|callTool)\\(.*(?<!orThrow\\(\\))\\.text\\(\\)");

	private static final Pattern IMPORT = Pattern.compile("(?m)^import .*\\b(\\w+);?$");

	private static final Pattern OURS = Pattern
		.compile("<groupId>io.github.mcpclient</groupId>\\s*<artifactId>([\\w-]+)</artifactId>");

	private static final Pattern BEAN = Pattern.compile(
			"@(?:Service|Component|Controller|RestController)\\s+(?:public |static )*class (\\w+)|@Bean\\s(?:@.*\\s)*[\\w<>.]+ (\\w+)\\(");

	private static final List<Path> pages = new ArrayList<>();

	private static final List<Code> tests = new ArrayList<>();

	private static final List<String> poms = new ArrayList<>();

	private static final Set<String> words = new HashSet<>();

	@BeforeAll
	static void readProject() throws IOException {
		try (Stream<Path> files = Files.walk(ROOT)) {
			files.filter((file) -> !file.toString().contains("/target/") && !file.toString().contains("/."))
				.filter(Files::isRegularFile)
				.sorted()
				.forEach((file) -> {
					if (matches(file, "{*.md,docs/*.md}")) {
						pages.add(file);
					}
					else if (matches(file, "**/src/test/{java/**.java,kotlin/**.kt}")) {
						tests.add(new Code(read(file)));
						addWords(read(file));
					}
					else if (matches(file, "**/src/main/java/**.java")) {
						addWords(read(file));
					}
					else if (matches(file, "**/pom.xml")) {
						poms.add(withoutBlanks(read(file)));
					}
				});
		}
	}

	private static void addWords(String code) {
		words.addAll(List.of(code.split("\\W+")));
	}

	private static boolean matches(Path file, String glob) {
		return FileSystems.getDefault().getPathMatcher("glob:" + glob).matches(ROOT.relativize(file));
	}

	@TestFactory
	Stream<DynamicTest> snippets() {
		return pages.stream()
			.flatMap((page) -> SNIPPET.matcher(read(page))
				.results()
				.map((snippet) -> DynamicTest.dynamicTest(place(page, snippet.start()),
						() -> check(snippet.group(2), snippet.group(3)))));
	}

	private static void check(String language, String snippet) throws IOException {
		switch (language) {
			case "java" -> assertThat(testsWith(snippet)).as("tests that have this code").isNotEmpty();
			case "yaml" -> start(snippet, ".yaml", snippet.contains("servers:"));
			case "properties" -> start(snippet, ".properties", snippet.contains("servers."));
			case "json" -> {
				if (JsonMapper.shared().readTree(snippet).has("mcpServers")) {
					Path file = write(snippet, ".json");
					start("spring.config.import=mcp:" + file, ".properties", true);
				}
			}
			case "xml" -> assertThat(poms.stream().anyMatch((pom) -> pom.contains(withoutBlanks(snippet))))
				.as("some module has this dependency")
				.isTrue();
			case "groovy" -> checkDependencies(snippet);
			case "kotlin" -> {
				if (snippet.contains("implementation(")) {
					checkDependencies(snippet);
				}
				else {
					assertThat(testsWith(snippet)).as("tests that have this code").isNotEmpty();
				}
			}
			default -> assertThat(language).as("a language that is checked").isNull();
		}
	}

	private static void checkDependencies(String snippet) {
		assertThat(COORDINATES.matcher(snippet).results().map(DocumentationTests::element)).isNotEmpty()
			.allMatch((dependency) -> poms.stream().anyMatch((pom) -> pom.contains(dependency)));
	}

	private static String element(MatchResult coordinates) {
		String element = "<groupId>%s</groupId><artifactId>%s</artifactId>".formatted(coordinates.group(1),
				coordinates.group(2));
		String version = coordinates.group(3);
		return (version != null) ? element + "<version>" + version + "</version>" : element;
	}

	/**
	 * Start an application with nothing but that configuration. No server has to be
	 * there.
	 */
	private static void start(String configuration, String extension, boolean withServers) throws IOException {
		Path file = write(configuration.replace("required: true", "required: false"), extension);
		List<String> properties = new ArrayList<>(
				List.of("spring.config.location=" + file.toUri(), "mcp.startup.mode=lazy"));
		PLACEHOLDER.matcher(configuration).results().forEach((name) -> properties.add(name.group(1) + "=secret"));
		// an application without a web server has little that is not ours
		boolean whole = configuration.contains("management") || configuration.contains("security");
		try (ClientApplication application = ClientApplication.start(
				whole ? WebApplicationType.SERVLET : WebApplicationType.NONE, new Class<?>[0],
				properties.toArray(String[]::new))) {
			assertThat(application.registry().servers().isEmpty()).isEqualTo(!withServers);
		}
	}

	private static Path write(String content, String extension) throws IOException {
		Path folder = Files.createDirectories(Path.of("target/documentation").toAbsolutePath());
		return Files.writeString(Files.createTempFile(folder, "snippet", extension), content);
	}

	/**
	 * What is copied from these pages compiles without a search for each type.
	 */
	@Test
	void snippetsShowTheirImports() {
		assertThat(pages.stream()
			.filter((page) -> matches(page, "docs/{testing,handlers}.md"))
			.flatMap((page) -> SNIPPET.matcher(read(page))
				.results()
				.filter((snippet) -> snippet.group(2).equals("java"))
				.flatMap((snippet) -> importsOf(snippet.group(3)).filter((line) -> !read(page).contains(line))
					.map((line) -> place(page, snippet.start()) + ": " + line))))
			.isEmpty();
	}

	private static Stream<String> importsOf(String snippet) {
		String test = testsWith(snippet).findFirst().orElseThrow().text();
		Set<String> used = new HashSet<>(List.of(snippet.replaceAll("//.*|\".*?\"", "").split("\\W+")));
		return IMPORT.matcher(test).results().filter((line) -> used.contains(line.group(1))).map(MatchResult::group);
	}

	@Test
	void theGuideInstallsWhatPagesDependOn() {
		String guide = read(ROOT.resolve("README.md"));
		assertThat(pages.stream()
			.flatMap((page) -> OURS.matcher(read(page)).results())
			.map((dependency) -> dependency.group(1))
			.distinct()).allSatisfy((module) -> assertThat(guide).containsPattern(" -pl [\\w,-]*\\b" + module + "\\b"));
	}

	@Test
	void theReadmeHasEachPage() {
		String readme = read(ROOT.resolve("README.md"));
		String documentation = readme.substring(readme.indexOf("## Documentation"));
		assertThat(pages.stream()
			.filter((page) -> page.getParent().endsWith("docs"))
			.map((page) -> "](docs/" + page.getFileName() + ")"))
			.allSatisfy((link) -> assertThat(documentation).containsOnlyOnce(link));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "tests", "build" })
	void theGuideForContributorsHasEachModuleOnItsMap(String folder) throws IOException {
		String guide = read(ROOT.resolve("CONTRIBUTING.md"));
		String map = guide.substring(0, guide.indexOf("## Build"));
		try (Stream<Path> folders = Files.list(ROOT.resolve(folder))) {
			assertThat(folders.filter((module) -> Files.exists(module.resolve("pom.xml")))).isNotEmpty()
				.allSatisfy((module) -> assertThat(map).containsPattern("(?m)^ +" + module.getFileName() + "[ ,]"));
		}
	}

	/**
	 * One that is glued to a line is part of its paragraph for some, and hard to find.
	 */
	@Test
	void headingsHaveBlankLinesAroundThem() {
		assertThat(pages.stream().flatMap((page) -> {
			String text = SNIPPET.matcher(read(page)).replaceAll("");
			return GLUED_HEADING.matcher(text).results().map((heading) -> page.getFileName() + ": " + heading.group());
		})).isEmpty();
	}

	/**
	 * An application may have the beans of several pages.
	 */
	@Test
	void beansOfPagesHaveNamesOfTheirOwn() {
		Map<String, Set<Path>> names = new TreeMap<>();
		pages.forEach((page) -> BEAN.matcher(read(page))
			.results()
			.forEach((bean) -> names
				.computeIfAbsent(StringUtils.uncapitalize((bean.group(1) != null) ? bean.group(1) : bean.group(2)),
						(name) -> new TreeSet<>())
				.add(page)));
		assertThat(names).isNotEmpty().allSatisfy((name, all) -> assertThat(all).as(name).hasSize(1));
	}

	/**
	 * The text of a result may be an error, which an example does not take for an answer.
	 */
	@Test
	void textsOfResultsAreNotTakenForAnswers() {
		assertThat(pages.stream()
			.flatMap((page) -> UNCHECKED_TEXT.matcher(read(page))
				.results()
				.map((call) -> place(page, call.start()) + ": " + call.group())))
			.isEmpty();
	}

	@Test
	void linksLeadSomewhere() {
		assertThat(pages.stream()
			.flatMap((page) -> LINK.matcher(read(page))
				.results()
				.filter((link) -> !link.group(1).contains("://") && !leadsSomewhere(page, link.group(1)))
				.map((link) -> place(page, link.start()) + ": " + link.group(1))))
			.isEmpty();
	}

	private static boolean leadsSomewhere(Path page, String link) {
		String[] parts = link.split("#", 2);
		Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
		return Files.exists(target) && (parts.length == 1 || read(target).lines()
			.filter((line) -> line.startsWith("#"))
			.anyMatch((heading) -> anchor(heading).equals(parts[1])));
	}

	private static String anchor(String heading) {
		return heading.replaceFirst("#+ ", "").toLowerCase().replaceAll("[^\\w -]", "").replace(' ', '-');
	}

	/**
	 * Names of types, of ours or of others, are words of the code.
	 */
	@Test
	void typesExist() {
		assertThat(pages.stream()
			.filter((page) -> !page.endsWith("CHANGELOG.md"))
			.flatMap((page) -> TYPE.matcher(read(page))
				.results()
				.filter((type) -> !words.contains(type.group(1)))
				.map((type) -> place(page, type.start()) + ": " + type.group(1))))
			.isEmpty();
	}

	private static Stream<Code> testsWith(String snippet) {
		List<String> imports = IMPORT.matcher(snippet).results().map(MatchResult::group).toList();
		String bare = withoutBlanks(IMPORT.matcher(snippet).replaceAll(""));
		return tests.stream()
			.filter((test) -> test.bare().contains(bare) && imports.stream().allMatch(test.text()::contains));
	}

	private static String place(Path page, int offset) {
		return ROOT.relativize(page) + ":" + (read(page).substring(0, offset).lines().count() + 1);
	}

	private static String withoutBlanks(String code) {
		return code.replaceAll("(?m)(?<![:\"])//.*$", "").replaceAll("\\s+", "");
	}

	private static String read(Path file) {
		return Unchecked.get(() -> Files.readString(file));
	}

	/**
	 * A file, read once: each snippet is looked for in all of them.
	 */
	private record Code(String text, String bare) {

		Code(String text) {
			this(text, withoutBlanks(text));
		}

	}

}
