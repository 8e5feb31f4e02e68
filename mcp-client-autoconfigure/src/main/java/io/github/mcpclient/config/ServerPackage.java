package io.github.mcpclient.config;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.mcpclient.config.McpProperties.Runtimes;
import org.jspecify.annotations.Nullable;

/**
 * A package of a registry, and the command that downloads and runs it.
 *
 * @param kind the registry: {@code npm}, {@code pypi} or {@code oci}
 * @param name the name in that registry, with the version if there is one
 */
record ServerPackage(String kind, String name) {

	static final String EXPECTED = "A package consists of npm:, pypi: or oci: and its name, such as "
			+ "npm:@modelcontextprotocol/server-filesystem@2026.8.31.";

	private static final Pattern SYNTAX = Pattern.compile("(npm|pypi|oci):([@A-Za-z0-9][^\\s\\x00]*)");

	private static final Pattern VERSION = Pattern.compile(".+?(?:@|==)(?!latest$).+");

	// a digest, or a tag after the last slash, as the host may have a port
	private static final Pattern IMAGE_VERSION = Pattern.compile(".+@.+|(?:.*/)?[^/:]+:(?!latest$)[^/]+");

	/**
	 * Return the package of a server; {@code null} if it has none, or one that cannot be
	 * read.
	 */
	static @Nullable ServerPackage of(McpServerProperties values) {
		Matcher matcher = SYNTAX.matcher((values.packageName() != null) ? values.packageName().strip() : "");
		return matcher.matches() ? new ServerPackage(matcher.group(1), matcher.group(2)) : null;
	}

	boolean isImage() {
		return this.kind.equals("oci");
	}

	boolean hasVersion() {
		return (isImage() ? IMAGE_VERSION : VERSION).matcher(this.name).matches();
	}

	/**
	 * Return the command that runs the package, and all of its arguments.
	 * @param values the settings of the server, with the defaults
	 */
	List<String> commandLine(McpServerProperties values, Runtimes runtimes) {
		List<String> words = new ArrayList<>(runtimes.command(this.kind));
		switch (this.kind) {
			case "npm" -> words.addAll(List.of("-y", this.name));
			case "pypi" -> words.add(this.name.replaceFirst("==", "@"));
			default -> {
				// the transport adds the options of each start
				words.addAll(List.of("run", "-i", "--rm", "--init"));
				if (values.memory() != null) {
					words.add("--memory=" + values.memory().toBytes() + "b");
				}
				if (values.network() != null) {
					words.add("--network=" + values.network());
				}
				words.add(this.name);
			}
		}
		words.addAll((values.args() != null) ? values.args() : List.of());
		return words;
	}

}
