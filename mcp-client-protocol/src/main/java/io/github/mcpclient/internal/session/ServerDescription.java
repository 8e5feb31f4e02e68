package io.github.mcpclient.internal.session;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.mcpclient.internal.support.Secrets;
import io.modelcontextprotocol.spec.McpSchema.Icon;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.ProtocolVersions;
import org.jspecify.annotations.Nullable;

/**
 * The server's description of itself when a session opens, for any protocol version.
 *
 * @param protocolVersion the protocol version of the session
 * @param serverInfo the name, title and version of the server
 * @param capabilities the names of its capabilities; {@code resources.subscribe} is a
 * separate one, and so is {@code tools.listChanged} where the client has to request that
 * @param instructions how to use the server, or {@code null}
 */
public record ServerDescription(String protocolVersion, Implementation serverInfo, Set<String> capabilities,
		@Nullable String instructions) {

	private static final Set<String> ITEMS = Set.of("tools", "prompts", "resources");

	/**
	 * Create the description of a server of the legacy protocol (2024-11-05 to
	 * 2025-11-25).
	 */
	public static ServerDescription of(String protocolVersion, Implementation serverInfo, ServerCapabilities offered,
			@Nullable String instructions) {
		Map<String, Boolean> known = Map.of("tools", offered.tools() != null, "prompts", offered.prompts() != null,
				"resources", offered.resources() != null, "resources.subscribe",
				offered.resources() != null && Boolean.TRUE.equals(offered.resources().subscribe()), "logging",
				offered.logging() != null, "completions",
				// protocol version 2024-11-05 has completion, but no capability for it
				offered.completions() != null || ProtocolVersions.MCP_2024_11_05.equals(protocolVersion));
		return new ServerDescription(protocolVersion, serverInfo,
				known.entrySet()
					.stream()
					.filter(Map.Entry::getValue)
					.map(Map.Entry::getKey)
					.collect(Collectors.toUnmodifiableSet()),
				instructions);
	}

	/**
	 * Return this description with more capabilities.
	 */
	ServerDescription with(Collection<String> more) {
		Set<String> all = new HashSet<>(this.capabilities);
		all.addAll(more);
		return new ServerDescription(this.protocolVersion, this.serverInfo, Set.copyOf(all), this.instructions);
	}

	/**
	 * Return this description with masks in place of secrets that the server repeats.
	 */
	ServerDescription masked(Secrets secrets) {
		if (secrets.isEmpty()) {
			return this;
		}
		Implementation info = this.serverInfo;
		List<Icon> icons = (info.icons() != null) ? info.icons()
			.stream()
			.map((icon) -> new Icon(secrets.mask(icon.src()), icon.mimeType(), icon.sizes(), icon.theme()))
			.toList() : null;
		return new ServerDescription(this.protocolVersion,
				new Implementation(secrets.mask(info.name()), masked(info.title(), secrets),
						secrets.mask(info.version()), masked(info.description(), secrets), icons,
						masked(info.websiteUrl(), secrets)),
				this.capabilities, masked(this.instructions, secrets));
	}

	private static @Nullable String masked(@Nullable String text, Secrets secrets) {
		return (text != null) ? secrets.mask(text) : null;
	}

	/**
	 * Return whether to request tools, prompts or resources: some servers that announce
	 * none of these have them. A server that announces one of them is trusted.
	 */
	public boolean mayHave(String items) {
		return offers(items) || (ITEMS.contains(items) && ITEMS.stream().noneMatch(this::offers));
	}

	/**
	 * Return whether the server has a capability, such as {@code tools}.
	 */
	public boolean offers(String capability) {
		return this.capabilities.contains(capability);
	}

}
