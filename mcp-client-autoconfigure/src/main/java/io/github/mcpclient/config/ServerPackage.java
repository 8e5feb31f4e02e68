package io.github.mcpclient.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.mcpclient.config.McpProperties.Runtimes;
import io.github.mcpclient.support.ContainerLabels;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * A package of a registry, which becomes the command that downloads and runs it.
 *
 * @param kind which registry it is of: {@code npm}, {@code pypi} or {@code oci}
 * @param name its name in that registry, with its version if it has one
 */
record ServerPackage(String kind, String name) {

	static final String EXPECTED = "A package begins with npm:, pypi: or oci:, and its name follows, such as "
			+ "npm:@modelcontextprotocol/server-filesystem@2026.8.31.";

	private static final String OCI = "oci";

	private static final Pattern SYNTAX = Pattern.compile("(npm|pypi|oci):([@A-Za-z0-9][^\\s\\x00]*)");

	private static final Pattern VERSION = Pattern.compile(".+?(?:@|==)(?!latest$).+");

	/**
	 * A digest, or a tag after the last slash, as the host may have a port.
	 */
	private static final Pattern IMAGE_VERSION = Pattern.compile(".+@.+|(?:.*/)?[^/:]+:(?!latest$)[^/]+");

	/**
	 * Returns the package of a server; {@code null} if it has none, or one that cannot be
	 * read.
	 */
	static @Nullable ServerPackage of(McpServerProperties values) {
		Matcher matcher = SYNTAX.matcher((values.packageName() != null) ? values.packageName().strip() : "");
		return matcher.matches() ? new ServerPackage(matcher.group(1), matcher.group(2)) : null;
	}

	/**
	 * Returns what is wrong with the settings of a package, by setting.
	 */
	static Map<String, String> mistakes(McpServerProperties own, McpServerProperties values) {
		Map<String, String> mistakes = new LinkedHashMap<>();
		ServerPackage of = of(own);
		if (own.packageName() != null && of == null) {
			mistakes.put("package", EXPECTED);
		}
		if (own.packageName() != null && (StringUtils.hasText(own.command()) || StringUtils.hasText(own.url()))) {
			mistakes.put("package", "There is a package, and a " + (StringUtils.hasText(own.url()) ? "url" : "command")
					+ " as well. Remove one of them.");
		}
		boolean container = of != null && of.kind.equals(OCI);
		if (!container && own.memory() != null) {
			mistakes.put("memory", "This is for packages that begin with oci: only.");
		}
		if (!container && own.network() != null) {
			mistakes.put("network", "This is for packages that begin with oci: only.");
		}
		else if (container && values.network() != null && !values.network().matches("[A-Za-z0-9][A-Za-z0-9_.:-]*")) {
			mistakes.put("network", "This is not the name of a network. 'none' means that there is none.");
		}
		if (container && values.memory() != null && values.memory().toBytes() <= 0) {
			mistakes.put("memory", "The size must be larger than zero.");
		}
		return mistakes;
	}

	boolean hasVersion() {
		return (this.kind.equals(OCI) ? IMAGE_VERSION : VERSION).matcher(this.name).matches();
	}

	/**
	 * Returns the command that runs the package, and all of its arguments.
	 * @param values the settings of the server, with the defaults
	 */
	List<String> commandLine(String server, McpServerProperties values, Runtimes runtimes) {
		List<String> runtime = switch (this.kind) {
			case "npm" -> runtimes.npm().command();
			case "pypi" -> runtimes.pypi().command();
			default -> runtimes.oci().command();
		};
		List<String> words = new ArrayList<>(runtime);
		switch (this.kind) {
			case "npm" -> words.addAll(List.of("-y", this.name));
			case "pypi" -> words.add(this.name.replaceFirst("==", "@"));
			default -> {
				// the environment is added when it starts: see the transport
				words.addAll(List.of("run", "-i", "--rm", "--init", "--label", ContainerLabels.SERVER + "=" + server));
				if (values.memory() != null) {
					words.addAll(List.of("--memory", values.memory().toBytes() + "b"));
				}
				if (values.network() != null) {
					words.addAll(List.of("--network", values.network()));
				}
				words.add(this.name);
			}
		}
		words.addAll((values.args() != null) ? values.args() : List.of());
		return words;
	}

}
