package io.github.mcpclient.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a JVM that was started for a benchmark has to say: one line on its standard
 * output.
 *
 * @param values the values by name
 */
public record Result(Map<String, String> values) {

	private static final String MARK = "RESULT\t";

	/**
	 * Create a result.
	 * @param namesAndValues names and values, alternating
	 * @return the result
	 */
	public static Result of(Object... namesAndValues) {
		Map<String, String> values = new LinkedHashMap<>();
		for (int i = 0; i < namesAndValues.length; i += 2) {
			values.put(String.valueOf(namesAndValues[i]), oneLine(namesAndValues[i + 1]));
		}
		return new Result(values);
	}

	/**
	 * Print this result for the benchmark that started this JVM.
	 */
	public void print() {
		StringBuilder line = new StringBuilder(MARK);
		this.values.forEach((name, value) -> line.append(name).append('=').append(value).append('\t'));
		System.out.println(line);
		System.out.flush();
	}

	static @Nullable Result parse(String line) {
		if (!line.startsWith(MARK)) {
			return null;
		}
		Map<String, String> values = new LinkedHashMap<>();
		for (String pair : line.substring(MARK.length()).split("\t")) {
			int equals = pair.indexOf('=');
			values.put(pair.substring(0, equals), pair.substring(equals + 1));
		}
		return new Result(values);
	}

	String text(String name) {
		String value = this.values.get(name);
		if (value == null) {
			throw new IllegalStateException("No '" + name + "' in " + this);
		}
		return value;
	}

	double number(String name) {
		return Double.parseDouble(text(name));
	}

	boolean has(String name) {
		return this.values.containsKey(name);
	}

	private static String oneLine(Object value) {
		return String.valueOf(value).replaceAll("\\s+", " ");
	}

}
