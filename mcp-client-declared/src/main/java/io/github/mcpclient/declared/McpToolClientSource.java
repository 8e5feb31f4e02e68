package io.github.mcpclient.declared;

import java.util.Collection;
import java.util.regex.Pattern;

import io.github.mcpclient.McpServer;
import io.modelcontextprotocol.spec.McpSchema.Tool;

import org.springframework.util.Assert;

/**
 * The Java source of a declared client, written from the tools of a server: an interface
 * with {@link McpToolClient}, and in it a record or an enum for each object or choice in
 * their schemas. You can change it as you like.
 *
 * <ul>
 * <li>Up to three arguments that are no objects are parameters; others are a record.
 * Optional values are {@code @Nullable}.</li>
 * <li>A result is a record if the tool has an {@code outputSchema}, and its text
 * otherwise.</li>
 * <li>A value without a single type is a {@link tools.jackson.databind.JsonNode}, as is a
 * value that is nested more than ten levels deep. An object that can have any members is
 * a map.</li>
 * <li>An integer is an {@code int} if its minimum and maximum are within the range of an
 * {@code int}, or, as an argument, if no limit is outside of it; otherwise a
 * {@code long}.</li>
 * <li>Descriptions become Javadoc, shortened. Texts of a server are escaped, and stay
 * within a comment or a literal.</li>
 * </ul>
 *
 * The same tools in the same order give the same source. It has at most about a million
 * characters and 1,000 tools; a comment has the number of omitted tools. Immutable.
 */
public final class McpToolClientSource {

	private static final Pattern PACKAGE = Pattern.compile("[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)*");

	private final String typeName;

	private final String text;

	private McpToolClientSource(String typeName, String text) {
		this.typeName = typeName;
		this.text = text;
	}

	/**
	 * Write the source for the tools of a server that the application gets. Never blocks,
	 * and has no methods if none are known yet.
	 */
	public static McpToolClientSource of(McpServer server) {
		return of(server.name(),
				server.tools()
					.stream()
					.map((tool) -> new Tool(tool.originalName(), tool.title(), tool.description(), tool.inputSchema(),
							tool.outputSchema(), null, null, null))
					.toList());
	}

	/**
	 * Write the source for tools as a server lists them.
	 * @param server the name of the server
	 */
	public static McpToolClientSource of(String server, Collection<Tool> tools) {
		ClientSourceWriter writer = new ClientSourceWriter(server);
		return new McpToolClientSource(writer.typeName(), writer.write(tools));
	}

	/**
	 * Return the simple name of the interface.
	 */
	public String typeName() {
		return this.typeName;
	}

	/**
	 * Return the source, without a package.
	 */
	public String text() {
		return this.text;
	}

	/**
	 * Return the source, in a package.
	 * @param packageName a name such as {@code com.example.weather}
	 */
	public String text(String packageName) {
		Assert.isTrue(PACKAGE.matcher(packageName).matches(),
				() -> "'" + packageName + "' is not a package name, such as com.example.weather");
		return "package " + packageName + ";\n\n" + this.text;
	}

	/**
	 * Return the source, without a package.
	 */
	@Override
	public String toString() {
		return this.text;
	}

}
