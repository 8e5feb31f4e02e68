import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;

import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * Checks a folder that was deployed to against what Maven Central demands of a release, and
 * that it holds what {@code mcp-client-bom} lists, and nothing else: {@code java
 * build/Central.java <folder>}. Signatures are verified by {@code gpg}.
 *
 * @see <a href="https://central.sonatype.org/publish/requirements/">Requirements</a>
 */
class Central {

	private static final String GROUP = "io/github/mcpclient";

	private static final Set<String> CHECKSUMS = Set.of("md5", "sha1");

	private static final XPath XPATH = XPathFactory.newInstance().newXPath();

	private final Path group;

	private final Map<String, Document> poms = new TreeMap<>();

	private final List<String> mistakes = new ArrayList<>();

	private int files;

	private Central(Path folder) {
		this.group = folder.resolve(GROUP);
	}

	public static void main(String[] args) throws Exception {
		Central central = new Central(Path.of(args[0]));
		central.check();
		central.mistakes.forEach(System.err::println);
		if (!central.mistakes.isEmpty()) {
			System.exit(1);
		}
		System.out.printf("%d artifacts with %d signed files are as Maven Central demands%n", central.poms.size(),
				central.files);
	}

	private void check() throws Exception {
		for (Path artifact : list(this.group)) {
			List<Path> versions = list(artifact).stream().filter(Files::isDirectory).toList();
			require(versions.size() == 1, artifact, "one version, not " + versions);
			Path version = versions.get(0);
			Path pom = version.resolve(artifact.getFileName() + "-" + version.getFileName() + ".pom");
			if (require(Files.exists(pom), pom, "a POM")) {
				DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
				this.poms.put(artifact.getFileName().toString(), factory.newDocumentBuilder().parse(pom.toFile()));
			}
		}
		Set<String> expected = new TreeSet<>(Set.of("mcp-client-parent", "mcp-client-bom"));
		NodeList listed = (NodeList) XPATH.evaluate(
				"/project/dependencyManagement/dependencies/dependency/artifactId", this.poms.get("mcp-client-bom"),
				XPathConstants.NODESET);
		for (int i = 0; i < listed.getLength(); i++) {
			expected.add(listed.item(i).getTextContent());
		}
		require(this.poms.keySet().equals(expected), this.group, expected + ", not " + this.poms.keySet());
		for (Path artifact : list(this.group)) {
			Path version = list(artifact).stream().filter(Files::isDirectory).findFirst().orElseThrow();
			checkPom(artifact.getFileName().toString(), version);
			checkFiles(artifact.getFileName().toString(), version);
		}
	}

	private void checkPom(String name, Path folder) throws IOException, XPathExpressionException {
		Path place = folder.resolve("pom");
		Document pom = this.poms.get(name);
		require(value(pom, "artifactId").equals(name), place, "the artifactId " + name);
		require(!folder.getFileName().toString().endsWith("-SNAPSHOT"), place, "a version that is no snapshot");
		// all else is inherited
		require(!value(pom, "name").isEmpty(), place, "a name");
		require(!value(pom, "description").isEmpty(), place, "a description");
		for (String element : List.of("groupId", "version", "url", "licenses/license/name", "licenses/license/url",
				"developers/developer/name", "scm/url", "scm/connection", "scm/developerConnection")) {
			String value = inherited(pom, element);
			require(!value.isEmpty() && !value.contains("${"), place, element + ", not \"" + value + "\"");
		}
		String text = XPATH.evaluate("string(/project)", pom);
		require(!text.contains("-SNAPSHOT"), place, "no snapshot");
		require(value(pom, "repositories").isEmpty() && value(pom, "pluginRepositories").isEmpty(), place,
				"no repositories of its own");
	}

	private void checkFiles(String name, Path folder) throws Exception {
		String prefix = name + "-" + folder.getFileName();
		Path jar = folder.resolve(prefix + ".jar");
		if (!value(this.poms.get(name), "packaging").equals("pom")) {
			boolean empty = !has(jar, ".class");
			require(empty == name.endsWith("-starter"), jar, "classes, unless it is the starter");
			require(empty || has(folder.resolve(prefix + "-sources.jar"), ".java"), jar, "sources");
			require(empty || has(folder.resolve(prefix + "-javadoc.jar"), "index.html"), jar, "Javadoc");
			Path sbom = folder.resolve(prefix + "-cyclonedx.json");
			require(Files.exists(sbom) && Files.readString(sbom)
				.contains("\"purl\" : \"pkg:maven/io.github.mcpclient/" + name + "@" + folder.getFileName()), sbom,
					"an SBOM");
			for (String suffix : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
				require(Files.exists(folder.resolve(prefix + suffix)), folder, suffix);
			}
		}
		for (Path file : list(folder)) {
			String extension = file.toString().replaceFirst(".*\\.", "");
			if (CHECKSUMS.contains(extension) || extension.equals("asc")) {
				continue;
			}
			for (String algorithm : CHECKSUMS) {
				Path checksum = Path.of(file + "." + algorithm);
				require(Files.exists(checksum) && Files.readString(checksum).strip().equals(digest(file, algorithm)),
						file, "its " + algorithm);
			}
			Path signature = Path.of(file + ".asc");
			require(Files.exists(signature) && verifies(signature, file), file, "a signature");
			this.files++;
		}
	}

	private static String value(Document pom, String element) throws XPathExpressionException {
		return XPATH.evaluate("/project/" + element, pom).strip();
	}

	// a path to the module is not appended
	private String inherited(Document pom, String element) throws XPathExpressionException {
		String value = value(pom, element);
		String parent = value(pom, "parent/artifactId");
		if (!value.isEmpty() || parent.isEmpty() || !this.poms.containsKey(parent)) {
			return value;
		}
		Document from = this.poms.get(parent);
		String appended = switch (element) {
			case "url" -> "@child.project.url.inherit.append.path";
			case "scm/url" -> "scm/@child.scm.url.inherit.append.path";
			case "scm/connection" -> "scm/@child.scm.connection.inherit.append.path";
			case "scm/developerConnection" -> "scm/@child.scm.developerConnection.inherit.append.path";
			default -> null;
		};
		return (appended == null || value(from, appended).equals("false")) ? inherited(from, element) : "";
	}

	private static boolean has(Path jar, String suffix) throws IOException {
		if (!Files.exists(jar)) {
			return false;
		}
		try (ZipFile zip = new ZipFile(jar.toFile())) {
			return zip.stream().anyMatch((entry) -> entry.getName().endsWith(suffix));
		}
	}

	private static String digest(Path file, String algorithm) throws IOException, GeneralSecurityException {
		String name = algorithm.equals("sha1") ? "SHA-1" : "MD5";
		return HexFormat.of().formatHex(MessageDigest.getInstance(name).digest(Files.readAllBytes(file)));
	}

	private static boolean verifies(Path signature, Path file) throws IOException, InterruptedException {
		return new ProcessBuilder("gpg", "--batch", "--verify", signature.toString(), file.toString())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start()
			.waitFor() == 0;
	}

	private static List<Path> list(Path folder) throws IOException {
		try (Stream<Path> files = Files.list(folder)) {
			return files.filter((file) -> !file.getFileName().toString().startsWith("maven-metadata")).sorted().toList();
		}
	}

	private boolean require(boolean holds, Path place, String what) {
		if (!holds) {
			this.mistakes.add(this.group.relativize(place) + ": Maven Central demands " + what);
		}
		return holds;
	}

}
