package io.github.mcpclient.audit;

import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.github.mcpclient.audit.McpAuditProperties.Arguments;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.Redaction;
import io.github.mcpclient.internal.support.Secrets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts arguments to the text or hash of a record, within fixed limits.
 */
final class AuditedArguments {

	private static final int MOST_LEVELS = 32;

	private static final int MOST_VALUES = 1000;

	// followed by its length, where it is cut
	private static final int LONGEST = 2000;

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
		.build();

	private final boolean masked;

	private final Set<String> fields;

	AuditedArguments(Arguments how, Collection<String> maskedFields) {
		this.masked = how == Arguments.MASKED;
		this.fields = maskedFields.stream().map(PropertyNames::uniform).collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * Return the hash of arguments, or {@code null} if they are masked or cannot be
	 * written as JSON.
	 */
	@Nullable String hash(Map<String, ? extends @Nullable Object> arguments) {
		if (this.masked) {
			return null;
		}
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			MAPPER.writeValue(new DigestOutputStream(OutputStream.nullOutputStream(), digest), arguments);
			return HexFormat.of().formatHex(digest.digest());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	/**
	 * Return masked arguments, or {@code null} if they are hashed or cannot be written as
	 * JSON.
	 */
	@Nullable String masked(Map<String, ? extends @Nullable Object> arguments) {
		return this.masked ? json(arguments, this::isMasked, Redaction::json) : null;
	}

	/**
	 * Return the details of an administrative action as JSON. They have names of servers
	 * and tools, which are untrusted, and no secrets.
	 */
	static @Nullable String details(Map<?, ?> details) {
		return json(details, (name) -> false, UnaryOperator.identity());
	}

	private boolean isMasked(String member) {
		return this.fields.contains(PropertyNames.uniform(member)) || Redaction.isSecretMember(member);
	}

	/**
	 * Return a value as JSON on one line, or {@code null} if it cannot be written.
	 */
	private static @Nullable String json(Object value, Predicate<String> isMasked, UnaryOperator<String> redaction) {
		try {
			String json = MAPPER.writeValueAsString(new Masking(isMasked).masked(value, 0));
			return Printable.line(redaction.apply(json), LONGEST);
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	/**
	 * Copies arguments up to the limits of a record.
	 */
	private static final class Masking {

		private final Predicate<String> isMasked;

		private int left = MOST_VALUES;

		private Masking(Predicate<String> isMasked) {
			this.isMasked = isMasked;
		}

		private @Nullable Object masked(@Nullable Object value, int level) {
			if (--this.left < 0 || level > MOST_LEVELS) {
				return "...";
			}
			if (value instanceof Map<?, ?> map) {
				Map<String, @Nullable Object> members = new LinkedHashMap<>();
				for (Map.Entry<?, ?> member : map.entrySet()) {
					if (this.left < 0) {
						break;
					}
					String name = Printable.cut(String.valueOf(member.getKey()), LONGEST);
					members.put(name, this.isMasked.test(name) ? Secrets.MASK : masked(member.getValue(), level + 1));
				}
				return members;
			}
			if (value instanceof Collection<?> list) {
				List<@Nullable Object> items = new ArrayList<>();
				for (Object item : list) {
					if (this.left < 0) {
						break;
					}
					items.add(masked(item, level + 1));
				}
				return items;
			}
			if (value == null || value instanceof Number || value instanceof Boolean) {
				return value;
			}
			if (value instanceof CharSequence text) {
				return Printable.cut(text.toString(), LONGEST);
			}
			// a type of the application may have members to mask
			return masked(MAPPER.convertValue(value, Object.class), level + 1);
		}

	}

}
