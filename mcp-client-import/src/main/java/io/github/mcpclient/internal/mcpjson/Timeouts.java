package io.github.mcpclient.internal.mcpjson;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.temporal.ChronoUnit;

import io.github.mcpclient.internal.mcpjson.JsonValue.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Reads the timeouts of a server, which have no unit in a file.
 */
record Timeouts(ImportedServer server, @Nullable ChronoUnit unit) {

	// a larger number of seconds is assumed to be in milliseconds
	private static final BigDecimal MOST_SECONDS = BigDecimal.valueOf(3600);

	private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);

	private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE / 1000);

	// some files use a number that means no limit
	private static final BigDecimal DAY = BigDecimal.valueOf(24 * 60 * 60 * 1000);

	// a number such as 1e99999999 has that many digits
	private static final int MOST_DIGITS = 30;

	void add() {
		JsonValue both = this.server.take("timeout", Kind.OBJECT);
		JsonValue timeout = this.server.take("timeout");
		add("request-timeout", (both != null) ? both.get("request") : timeout, this.unit);
		add("request-timeout", this.server.take("requestTimeout"), ChronoUnit.MILLIS);
		add("request-timeout", this.server.take("tool_timeout_sec"), ChronoUnit.SECONDS);
		add("initialization-timeout", (both != null) ? both.get("startup") : null, this.unit);
		add("initialization-timeout", this.server.take("initTimeout", "connectionTimeout"), ChronoUnit.MILLIS);
		add("initialization-timeout", this.server.take("startup_timeout_sec"), ChronoUnit.SECONDS);
	}

	private void add(String setting, @Nullable JsonValue value, @Nullable ChronoUnit unit) {
		if (value == null || value.is(Kind.NULL)) {
			return;
		}
		BigDecimal number = number(value);
		if (number == null || number.signum() <= 0 || number.compareTo(LARGEST) > 0) {
			this.server.warn(value, "A timeout that is not a number above zero is ignored.");
			return;
		}
		boolean seconds = isSeconds(value, number, unit);
		BigDecimal milliseconds = (seconds ? number.multiply(THOUSAND) : number).min(DAY);
		this.server.put(setting, value, milliseconds.setScale(0, RoundingMode.CEILING).toPlainString() + "ms");
	}

	private boolean isSeconds(JsonValue value, BigDecimal number, @Nullable ChronoUnit unit) {
		boolean seconds = (unit != ChronoUnit.MILLIS) && number.compareTo(MOST_SECONDS) <= 0;
		if (unit == null) {
			this.server.info(value,
					"A timeout of " + value.text() + " is read as " + (seconds ? "seconds." : "milliseconds."));
		}
		else if (unit == ChronoUnit.SECONDS && !seconds) {
			this.server.warn(value, "A timeout of " + value.text() + " is read as milliseconds, since it would be "
					+ "longer than an hour in seconds.");
		}
		else if (unit == ChronoUnit.MILLIS && number.compareTo(THOUSAND) < 0) {
			this.server.warn(value,
					"A timeout of " + value.text() + " is in milliseconds, which is less than a second.");
		}
		return seconds;
	}

	private static @Nullable BigDecimal number(JsonValue value) {
		if (!(value.is(Kind.NUMBER) || value.text().matches("\\d+(?:\\.\\d+)?"))
				|| value.text().length() > MOST_DIGITS) {
			return null;
		}
		BigDecimal number = new BigDecimal(value.text());
		return (Math.abs(number.scale()) <= MOST_DIGITS) ? number : null;
	}

}
