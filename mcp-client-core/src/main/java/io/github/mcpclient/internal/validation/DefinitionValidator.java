package io.github.mcpclient.internal.validation;

import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Http;
import io.github.mcpclient.definition.McpServerDefinition.Proxy;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.definition.McpServerDefinition.Stdio;
import io.github.mcpclient.definition.McpServerDefinition.Tools;
import io.github.mcpclient.definition.McpToolPinning;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.internal.support.HttpHeaderValidator;
import io.github.mcpclient.internal.support.NearestNames;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.ProtocolRevisions;
import io.github.mcpclient.internal.validation.McpServerDefinitions.Configured.Settings;
import io.github.mcpclient.internal.validation.TransportTypes.ServerType;
import io.github.mcpclient.spi.McpToolPinStore;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * Validates a definition that was configured or created by code. Messages contain no
 * values, which may be secret.
 */
public record DefinitionValidator(McpServerDefinition definition, Settings settings, boolean changed,
		List<Problem> problems) {

	private static final Duration LONGEST = Duration.ofHours(24);

	// a message is stored in one byte array
	private static final DataSize LARGEST = DataSize.ofBytes(Integer.MAX_VALUE);

	private static final String LIMITER = "io.github.bucket4j.Bucket";

	private static final int HIGHEST_PORT = 65535;

	// the same limit as in the filters
	private static final int LONGEST_PATTERN = 256;

	// the number of SSL bundles in a message
	private static final int MOST_NAMES = 20;

	// leaves room for the notice that there is more text
	private static final int LEAST_TEXT = 1000;

	void check(TransportTypes types, Set<String> authTypes, Set<String> applied, Predicate<Class<?>> beans,
			Function<McpServerDefinition, @Nullable Collection<String>> sslBundles) {
		// if the configuration was incomplete, this has already been reported
		boolean open = !this.problems.isEmpty();
		new AuthValidator(this.definition, authTypes, this::reject).check();
		String type = types.find(this.definition.type());
		if (type != null) {
			checkTarget(ServerType.of(this.definition, type), types);
		}
		else if (!open) {
			reject("type", types.unknown(this.definition.type()));
		}
		checkApplied(applied);
		if (this.definition.tools().pinning() != McpToolPinning.OFF && !beans.test(McpToolPinStore.class)) {
			reject("tools.pinning", "Approved definitions cannot be stored: set mcp.tools.pins to a file, such as"
					+ " file:mcp-tools.lock, or add a bean of type McpToolPinStore.");
		}
		checkSettings();
		checkBeans(this.definition.tools().rules(), beans);
		if (this.definition.http() != null) {
			checkBundle("ssl.bundle", this.definition.http().sslBundle(), sslBundles);
		}
		if (this.definition.http() != null && this.definition.auth().type().equals(McpServerAuth.OAUTH2)) {
			checkBundle("auth.oauth2.dpop-key-bundle", this.definition.auth().oauth2().dpopKeyBundle(), sslBundles);
			checkBundle("auth.oauth2.private-key-bundle", this.definition.auth().oauth2().privateKeyBundle(),
					sslBundles);
		}
	}

	// a setting that is not applied could, for example, leave tools accessible that
	// should be restricted
	private void checkApplied(Set<String> applied) {
		Tools tools = this.definition.tools();
		boolean hasRules = !tools.rules().isEmpty() || !tools.defaultRules().isEmpty();
		checkApplied("tools.pinning", tools.pinning() != McpToolPinning.OFF, "mcp-client-guard", applied);
		checkApplied("tools.rules", hasRules, "mcp-client-guard", applied);
		checkApplied("tools.max-text", tools.maxText() != Tools.DEFAULTS.maxText(), "mcp-client-agents", applied);
		checkApplied("tools.keep-results", tools.keepResults() != null, "mcp-client-agents", applied);
		checkApplied("resources.as-tools", this.definition.resources().asTools(), "mcp-client-agents", applied);
	}

	private void checkApplied(String setting, boolean used, String module, Set<String> applied) {
		if (used && !applied.contains(setting)) {
			reject(setting, "This needs a module that is not on the class path. Add the dependency "
					+ "io.github.mcpclient:" + module + ".");
		}
	}

	private void checkBundle(String setting, @Nullable String bundle,
			Function<McpServerDefinition, @Nullable Collection<String>> sslBundles) {
		Collection<String> known = (bundle != null) ? sslBundles.apply(this.definition) : null;
		if (bundle == null || known == null || known.contains(bundle)) {
			return;
		}
		List<String> some = known.stream().limit(MOST_NAMES).toList();
		List<String> nearest = NearestNames.of(bundle, some);
		reject(setting, "There is no SSL bundle of that name. "
				+ (nearest.isEmpty() ? "" : "Did you mean " + nearest.get(0) + "? ")
				+ (known.isEmpty() ? "No bundles exist: define it below spring.ssl.bundle." : "The SSL bundles are "
						+ String.join(", ", some)
						+ ((some.size() < known.size()) ? " and " + (known.size() - some.size()) + " more." : ".")));
	}

	/**
	 * Check that the beans that rules need exist.
	 */
	void checkBeans(List<McpToolRule> rules, Predicate<Class<?>> beans) {
		for (int i = 0; i < rules.size(); i++) {
			McpToolRule rule = rules.get(i);
			boolean asks = rule.approval() != null && rule.approval() != McpToolRule.Approval.NEVER;
			if (asks && !beans.test(McpToolApproval.class)) {
				reject("tools.rules[" + i + "].approval",
						"There is no bean of type McpToolApproval, which approves calls.");
			}
			if (rule.ratePerCaller() != null && !beans.test(McpCallerIdentity.class)) {
				reject("tools.rules[" + i + "].rate-per-caller",
						"Callers cannot be identified. Add Spring " + "Security, or a bean of type McpCallerIdentity.");
			}
		}
	}

	/**
	 * Check a definition that contains only settings for all servers.
	 */
	public void checkDefaults(Set<String> authTypes) {
		String problem = AuthValidator.problem(this.definition.auth().type(), authTypes);
		if (problem != null) {
			reject("auth.type", problem);
		}
		checkSettings();
	}

	private void checkTarget(ServerType type, TransportTypes types) {
		String refusal = types.refusal(type);
		Http http = this.definition.http();
		Stdio stdio = this.definition.stdio();
		if (refusal != null) {
			reject(type.decidedBy(), refusal);
		}
		else if (type.isStdio()) {
			if (http != null) {
				reject("url", type.misplaced());
			}
			if (stdio == null) {
				reject("command", "A server of type stdio needs a command.");
			}
		}
		else {
			if (type.isHttp() && stdio != null) {
				reject("command", type.misplaced());
			}
			if (http != null) {
				checkUrl(http.url(), type.schemes());
			}
			else if (type.isHttp()) {
				reject("url", "A server of type " + type + " needs a URL.");
			}
		}
	}

	private void checkUrl(URI url, List<String> schemes) {
		String scheme = url.getScheme();
		String expected = String.join(" or ", schemes.stream().map((name) -> name + "://").toList());
		if (scheme == null || (!schemes.isEmpty() && !schemes.contains(scheme.toLowerCase(Locale.ROOT)))) {
			reject("url",
					"The URL must begin with " + (schemes.isEmpty() ? "a scheme, such as https://" : expected) + ".");
		}
		else if (!schemes.isEmpty() && url.getHost() == null) {
			reject("url",
					"The URL has no host, or one that is not valid: a host has letters, digits, '.' and '-' only.");
		}
		else if (!schemes.isEmpty() && (url.getPort() == 0 || url.getPort() > HIGHEST_PORT)) {
			reject("url", "The port of the URL must be from 1 to " + HIGHEST_PORT + ".");
		}
		else if (!schemes.isEmpty() && url.getRawFragment() != null) {
			reject("url", "The URL must not have a fragment ('#'): it is never sent.");
		}
	}

	private void checkSettings() {
		McpServerDefinition server = this.definition;
		positive("request-timeout", server.timeouts().request());
		positive("initialization-timeout", server.timeouts().initialization());
		positive("first-start-timeout", server.timeouts().firstStart());
		positive("connect-timeout", server.timeouts().connect());
		positive("keep-alive-interval", server.timeouts().keepAliveInterval());
		positive("progress-extends-timeout-to", server.timeouts().progressExtendsTo());
		positive("max-message-size", server.limits().maxMessageSize());
		positive("max-result-size", server.limits().maxResultSize());
		positive("max-concurrent-calls", server.limits().maxConcurrentCalls());
		positive("tools.max", server.limits().maxTools());
		positive("tools.hide-when-unavailable", server.tools().hideWhenUnavailable());
		checkMaxText(server.tools().maxText());
		positive("tools.keep-results", server.tools().keepResults());
		positive("prompts.max", server.prompts().max());
		positive("resources.max", server.resources().max());
		positive("sampling.timeout", server.sampling().timeout());
		positive("sampling.max-tokens", server.sampling().maxTokens());
		positive("sampling.max-requests-per-minute", server.sampling().maxRequestsPerMinute());
		positive("sampling.max-depth", server.sampling().maxDepth());
		positive("elicitation.timeout", server.elicitation().timeout());
		checkProtocol(server.protocol());
		checkReconnect(server.reconnect());
		checkPatterns("tools.filter", server.tools().filter(), this::reject);
		List<McpToolRule> rules = server.tools().rules();
		for (int i = 0; i < rules.size(); i++) {
			checkRule("tools.rules[" + i + "]", rules.get(i));
		}
		if (server.http() != null) {
			positive("sse-read-timeout", server.http().sseReadTimeout());
			server.http().headers().forEach(this::checkHeader);
			checkProxy(server.http().proxy());
		}
		if (server.stdio() != null) {
			checkStdio(server.stdio());
		}
	}

	private void checkMaxText(int maxText) {
		if (maxText != 0 && maxText < LEAST_TEXT) {
			reject("tools.max-text", "The number must be at least " + LEAST_TEXT + ", or 0 for no limit.");
		}
	}

	private void checkRule(String at, McpToolRule rule) {
		if (rule.tools().isEmpty()) {
			reject(at, "The rule does not name the tools that it is for. Write '*' for all.");
		}
		checkPatterns(at + ".tools", rule.tools(), this::reject);
		positive(at + ".timeout", rule.timeout());
		positive(at + ".progress-extends-timeout-to", rule.progressExtendsTimeoutTo());
		positive(at + ".cache", rule.cache());
		checkRate(at + ".rate", rule.rate());
		checkRate(at + ".rate-per-caller", rule.ratePerCaller());
	}

	private void checkRate(String setting, McpToolRule.@Nullable Rate rate) {
		if (rate != null && !ClassUtils.isPresent(LIMITER, null)) {
			reject(setting, "A rate needs Bucket4j: add com.bucket4j:bucket4j_jdk17-core.");
		}
	}

	private void checkProtocol(String protocol) {
		if (!ProtocolRevisions.isKnown(protocol)) {
			reject("protocol",
					"The protocol '" + protocol
							+ "' is not supported: use auto, legacy, modern, or a version from 2024-11-05 to "
							+ ProtocolRevisions.STATELESS + ".");
		}
		else if (this.definition.type().equals(McpServerDefinition.SSE)
				&& !ProtocolRevisions.allowsStateful(protocol)) {
			reject("protocol", "A server of type sse supports no version from " + ProtocolRevisions.STATELESS
					+ " on: set the type to streamable-http, or remove the protocol.");
		}
	}

	private void checkProxy(@Nullable Proxy proxy) {
		if (proxy != null && !StringUtils.hasText(proxy.host())) {
			reject("proxy.host", "The proxy has no host.");
		}
		else if (proxy != null && (proxy.port() < 1 || proxy.port() > HIGHEST_PORT)) {
			reject("proxy.port", "The proxy needs a port from 1 to " + HIGHEST_PORT + ".");
		}
	}

	private void checkStdio(Stdio stdio) {
		if (!StringUtils.hasText(stdio.command())) {
			reject("command", "The command is empty.");
		}
		else if (stdio.command().indexOf('\0') != -1) {
			reject("command", "The command must not contain a NUL character.");
		}
		if (stdio.args().stream().anyMatch((arg) -> arg.indexOf('\0') != -1)) {
			reject("args", "An argument must not contain a NUL character.");
		}
		stdio.env().forEach(this::checkVariable);
	}

	private void checkReconnect(Reconnect reconnect) {
		positive("reconnect.initial-delay", reconnect.initialDelay());
		positive("reconnect.max-delay", reconnect.maxDelay());
		if (!(reconnect.multiplier() >= 1 && Double.isFinite(reconnect.multiplier()))) {
			reject("reconnect.multiplier", "The delay must not shrink: the multiplier must be at least 1.");
		}
		if (!(reconnect.jitter() >= 0 && reconnect.jitter() <= 1)) {
			reject("reconnect.jitter", "The random part of the delay must be from 0 (none) to 1 (all of it).");
		}
		boolean swapped = reconnect.maxDelay().compareTo(reconnect.initialDelay()) < 0;
		if (swapped && isGiven("reconnect.max-delay")) {
			reject("reconnect.max-delay", "The longest delay must not be shorter than the initial delay ("
					+ print(reconnect.initialDelay()) + ").");
		}
		else if (swapped && isGiven("reconnect.initial-delay")) {
			reject("reconnect.initial-delay", "The initial delay must not be longer than the longest delay ("
					+ print(reconnect.maxDelay()) + ").");
		}
	}

	private boolean isGiven(String setting) {
		return this.changed || this.settings.contains(setting);
	}

	private static String print(Duration duration) {
		return (duration.toMillisPart() == 0) ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
	}

	/**
	 * Check patterns for the names of tools.
	 */
	public static void checkPatterns(String setting, List<String> patterns, BiConsumer<String, String> reject) {
		for (String pattern : patterns) {
			String stripped = pattern.strip();
			String name = (stripped.startsWith("!") ? stripped.substring(1) : stripped).strip();
			if (name.isEmpty()) {
				reject.accept(setting, "The pattern '" + stripped
						+ "' names no tool. Write a name, or a pattern such as 'read_*'; a leading '!' excludes.");
			}
			else if (name.length() > LONGEST_PATTERN) {
				reject.accept(setting, "The pattern has " + name.length() + " characters: at most " + LONGEST_PATTERN
						+ " are allowed.");
			}
		}
	}

	private void positive(String setting, @Nullable Duration duration) {
		if (duration != null && (duration.isNegative() || duration.isZero())) {
			reject(setting, "The duration must be longer than zero.");
		}
		if (duration != null) {
			checkLength(setting, duration, this::reject);
		}
	}

	/**
	 * Check that a duration is not too long.
	 */
	public static void checkLength(String setting, Duration duration, BiConsumer<String, String> reject) {
		if (duration.compareTo(LONGEST) > 0) {
			reject.accept(setting,
					"The duration must not be longer than 24 hours. A number without a unit is in milliseconds.");
		}
	}

	private void positive(String setting, DataSize size) {
		if (size.toBytes() <= 0) {
			reject(setting, "The size must be larger than zero.");
		}
		if (size.compareTo(LARGEST) > 0) {
			reject(setting, "The size must be smaller than 2GB.");
		}
	}

	private void positive(String setting, @Nullable Integer count) {
		if (count != null && count <= 0) {
			reject(setting, "The number must be larger than zero.");
		}
	}

	private void checkHeader(String name, String value) {
		String problem = HttpHeaderValidator.problem(name, value);
		if (problem != null) {
			rejectEntry("headers", name, problem);
		}
	}

	private void checkVariable(String name, String value) {
		if (name.indexOf('=') != -1 || name.indexOf('\0') != -1) {
			rejectEntry("env", name, "The name of an environment variable must not contain '=' or a NUL character.");
		}
		else if (value.indexOf('\0') != -1) {
			rejectEntry("env", name, "The value of an environment variable must not contain a NUL character.");
		}
	}

	private void reject(String setting, String message) {
		this.problems.add(this.settings.problem(setting, message, this.changed));
	}

	private void rejectEntry(String map, String key, String message) {
		reject(map + PropertyNames.suffix(key), message);
	}

}
