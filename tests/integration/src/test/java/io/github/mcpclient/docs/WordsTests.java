package io.github.mcpclient.docs;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;

import io.github.mcpclient.testsupport.ProjectFiles;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the rules of {@code words.xml}, which Checkstyle applies to pages and code,
 * each find the sentence that is planted for them.
 */
class WordsTests {

	private static final Path FOLDER = ProjectFiles.root().resolve("build/checkstyle");

	private static final List<Map<String, String>> rules = new ArrayList<>();

	private static List<String> planted;

	@BeforeAll
	static void read() throws Exception {
		DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
		builder.setEntityResolver((publicId, systemId) -> new InputSource(new StringReader("")));
		NodeList modules = builder.parse(FOLDER.resolve("words.xml").toFile()).getElementsByTagName("module");
		for (int i = 1; i < modules.getLength(); i++) {
			Map<String, String> rule = new HashMap<>();
			NodeList properties = ((Element) modules.item(i)).getElementsByTagName("property");
			for (int j = 0; j < properties.getLength(); j++) {
				Element property = (Element) properties.item(j);
				rule.put(property.getAttribute("name"), property.getAttribute("value"));
			}
			rules.add(rule);
		}
		planted = Files.readString(FOLDER.resolve("words.md")).lines().skip(2).toList();
	}

	@Test
	void eachRuleFindsItsSentenceInAPage() {
		assertThat(rules).hasSameSizeAs(planted);
		for (int i = 0; i < rules.size(); i++) {
			assertThat(pattern(rules.get(i), "").matcher(planted.get(i)).find()).as(planted.get(i)).isTrue();
		}
	}

	@Test
	void eachRuleFindsItsSentenceInCommentsAndStringsAlone() throws Exception {
		Matcher text = Pattern.compile("<propertyExpansion>text=(.+)</propertyExpansion>")
			.matcher(Files.readString(ProjectFiles.root().resolve("build/checks/pom.xml")));
		assertThat(text.find()).isTrue();
		for (int i = 0; i < rules.size(); i++) {
			Pattern pattern = pattern(rules.get(i), text.group(1).replace("&lt;", "<"));
			String sentence = planted.get(i);
			assertThat(List.of("\t * " + sentence, "\tcall(); // " + sentence, "/** " + sentence + " */",
					"\tthrow new Failure(\"" + sentence + "\");", "\tshow(`" + sentence + "`);"))
				.allMatch((line) -> pattern.matcher(line).find(), sentence);
			assertThat(pattern.matcher("\tint " + sentence.replaceAll("['.]", "") + " = 1;").find()).as(sentence)
				.isFalse();
		}
	}

	private static Pattern pattern(Map<String, String> rule, String text) {
		return Pattern.compile(rule.get("format").replace("${text}", text),
				rule.containsKey("ignoreCase") ? Pattern.CASE_INSENSITIVE : 0);
	}

}
