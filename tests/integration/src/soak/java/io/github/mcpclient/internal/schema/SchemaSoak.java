package io.github.mcpclient.internal.schema;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/**
 * A long run of checks of generated values against generated schemas, many of which were
 * made to take all the time or memory. Tells at the end what came of the checks, and how
 * long the worst one took. Not part of the tests.
 */
public final class SchemaSoak {

	// what no check may take of its thread, on a slow machine
	private static final Duration LONGEST = Duration.ofSeconds(20);

	private static final int LARGEST = 300_000;

	private static final List<String> KEYWORDS = List.of("type", "enum", "const", "pattern", "patternProperties",
			"properties", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "propertyNames", "items",
			"prefixItems", "contains", "uniqueItems", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref",
			"minLength", "maxLength", "required", "dependentRequired", "dependentSchemas", "multipleOf", "minimum",
			"format", "contentMediaType", "$dynamicRef", "$dynamicAnchor", "$id", "$schema", "x-other", "minContains");

	private static final List<String> NAMES = List.of("a", "b", "Aa", "BB", "aaaa", "not", "patternProperties");

	private final Random random;

	private final ThreadMXBean time = ManagementFactory.getThreadMXBean();

	private final Map<String, Integer> counts = new LinkedHashMap<>();

	private final List<String> failures = new ArrayList<>();

	private long worst;

	private Map<String, Object> worstSchema = Map.of();

	SchemaSoak(long seed) {
		this.random = new Random(seed);
	}

	/**
	 * Run it.
	 * @param args {@code --minutes}, {@code --seed}
	 */
	public static void main(String[] args) {
		Map<String, String> options = new HashMap<>();
		for (int i = 0; i + 1 < args.length; i += 2) {
			options.put(args[i], args[i + 1]);
		}
		if (args.length % 2 != 0 || !List.of("--minutes", "--seed").containsAll(options.keySet())) {
			System.err.println("Usage: benchmarks/soak schemas [--minutes <minutes>] [--seed <number>]");
			System.exit(2);
		}
		LoggingSystem logging = LoggingSystem.get(SchemaSoak.class.getClassLoader());
		logging.beforeInitialize();
		for (String name : List.of(SchemaCheck.class.getName(), SchemaCheck.Threads.class.getName(),
				"com.networknt.schema")) {
			logging.setLogLevel(name, LogLevel.OFF);
		}
		long seed = Long.parseLong(options.getOrDefault("--seed", "" + new Random().nextInt(1_000_000)));
		double minutes = Double.parseDouble(options.getOrDefault("--minutes", "1"));
		SchemaSoak soak = new SchemaSoak(seed);
		long end = System.nanoTime() + (long) (minutes * TimeUnit.MINUTES.toNanos(1));
		System.out.println("Seed " + seed + ", heap of " + (Runtime.getRuntime().maxMemory() >> 20) + " MB");
		while (System.nanoTime() < end) {
			soak.step();
		}
		soak.threads(200);
		soak.print(System.out);
		System.exit(soak.failures().isEmpty() ? 0 : 1);
	}

	/**
	 * Check some values against one schema, and a pattern against its bound.
	 */
	void step() {
		pattern();
		Map<String, Object> schema = schema(3);
		if (this.random.nextInt(4) == 0) {
			schema.put("$defs", Map.of("a", schema(2), "b", schema(2)));
		}
		SchemaCheck check = new SchemaCheck("s", "x", schema);
		for (int i = 0; i < 3; i++) {
			check(check, schema, value());
		}
	}

	private void check(SchemaCheck check, Map<String, Object> schema, @Nullable Object value) {
		long started = this.time.getCurrentThreadCpuTime();
		try {
			List<String> thorough = check.check(value, new CheckBudget(CheckBudget.LONG));
			count(thorough.isEmpty() ? "checks that passed" : "checks that found violations");
			List<String> quick = check.tryCheck(value);
			if (quick != null && !quick.equals(thorough)) {
				fail("at once " + quick + ", thoroughly " + thorough, schema);
			}
			count((quick != null) ? "of them at once" : "of them too large to be done at once");
		}
		catch (Throwable ex) {
			fail(ex.toString(), schema);
		}
		long took = this.time.getCurrentThreadCpuTime() - started;
		if (took > this.worst) {
			this.worst = took;
			this.worstSchema = schema;
		}
		if (took > LONGEST.toNanos()) {
			fail("it took " + TimeUnit.NANOSECONDS.toMillis(took) + " ms", schema);
		}
	}

	private void pattern() {
		String regex = regex(this.random.nextInt(6));
		long maxSize = SchemaPattern.maxSize(regex);
		if (maxSize > SchemaPattern.MAX_SIZE) {
			count("patterns refused");
			return;
		}
		try {
			Pattern pattern = Pattern.compile(SchemaPattern.translate(regex));
			count("patterns compiled");
			if (pattern.programSize() > maxSize) {
				fail("larger than " + maxSize + ": " + pattern.programSize(), regex);
			}
			String text = text(this.random.nextInt(8));
			if (pattern.matcher(text).find() != java.util.regex.Pattern.compile(regex).matcher(text).find()) {
				fail("matches otherwise: '" + text + "'", regex);
			}
		}
		catch (PatternSyntaxException | java.util.regex.PatternSyntaxException ex) {
			count("patterns not understood");
		}
		catch (Throwable ex) {
			fail(ex.toString(), regex);
		}
	}

	/**
	 * Check on the threads that applications have, with little time and cancellations.
	 */
	void threads(int checks) {
		SchemaCheck.Threads threads = new SchemaCheck.Threads(Schedulers.parallel());
		try {
			for (int i = 0; i < checks; i++) {
				SchemaCheck check = new SchemaCheck("s", "x", schema(3));
				Object value = value();
				threads
					.run("s", (budget) -> check.check(value, budget), Duration.ofMillis(this.random.nextInt(20)),
							TimeoutException::new)
					.onErrorComplete(TimeoutException.class)
					.block(LONGEST);
			}
			long started = System.nanoTime();
			threads.run("s", (budget) -> List.of(), LONGEST, TimeoutException::new).block(LONGEST);
			count("milliseconds until a thread was free",
					(int) Duration.ofNanos(System.nanoTime() - started).toMillis());
		}
		catch (Throwable ex) {
			fail(ex.toString(), "on threads");
		}
		finally {
			threads.dispose();
		}
	}

	List<String> failures() {
		return this.failures;
	}

	void print(PrintStream out) {
		this.counts.forEach((name, count) -> out.printf("%,10d %s%n", count, name));
		out.printf("%,10d ms of a processor for the worst check, of %s%n", TimeUnit.NANOSECONDS.toMillis(this.worst),
				shortened(this.worstSchema));
		this.failures.forEach((failure) -> out.println("FAILED: " + failure));
		out.println(this.failures.isEmpty() ? "Clean" : this.failures.size() + " failures");
	}

	private void count(String name) {
		count(name, 1);
	}

	private void count(String name, int number) {
		this.counts.merge(name, number, Integer::sum);
	}

	private void fail(String what, Object of) {
		this.failures.add(what + " (" + shortened(of) + ")");
	}

	private static String shortened(Object object) {
		String text = String.valueOf(object);
		return text.substring(0, Math.min(2000, text.length()));
	}

	private Map<String, Object> schema(int depth) {
		Map<String, Object> schema = new LinkedHashMap<>();
		for (int i = this.random.nextInt(4); i >= 0; i--) {
			String keyword = pick(KEYWORDS);
			schema.put(keyword, (this.random.nextInt(20) == 0) ? junk() : keyword(keyword, depth));
		}
		return schema;
	}

	private Object keyword(String keyword, int depth) {
		return switch (keyword) {
			case "type" -> pick(List.of("string", "integer", "object", "array", "null", "boolean", "number"));
			case "enum" -> many(() -> value(1));
			case "const" -> text(3);
			case "pattern" -> regex(this.random.nextInt(6));
			case "patternProperties" -> {
				Map<String, Object> patterns = new HashMap<>();
				patterns.put(regex(this.random.nextInt(4)), sub(depth));
				yield patterns;
			}
			case "properties", "dependentSchemas" -> {
				Map<String, Object> properties = new HashMap<>();
				for (int i = rare() ? 3000 : 3; i > 0; i--) {
					properties.put((i > 3) ? "p" + i : pick(NAMES), (i > 3) ? true : sub(depth));
				}
				yield properties;
			}
			case "allOf", "anyOf", "oneOf", "prefixItems" -> many(() -> sub(depth));
			case "$ref" -> pick(List.of("#", "#/$defs/a", "#/$defs/b", "#/none", "#/items", "http://localhost:1/x"));
			case "$dynamicRef" -> pick(List.of("#a", "#"));
			case "$dynamicAnchor" -> "a";
			case "$id" -> pick(List.of("http://x/y", "#b", "\u0000", ""));
			case "$schema" -> pick(List.of("http://json-schema.org/draft-07/schema#", "x:y",
					"https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2019-09/schema"));
			case "uniqueItems" -> true;
			case "minLength", "maxLength", "minimum", "minContains" -> this.random.nextInt(5);
			case "multipleOf" -> pick(List.of(1e-300, 0, 0.1, 7));
			case "required" -> List.of(pick(NAMES));
			case "dependentRequired" -> Map.of("a", List.of("b"));
			case "format" -> pick(List.of("regex", "email", "date-time", "idn-hostname", "uri"));
			case "contentMediaType" -> "text/a;a=\"" + ".".repeat(this.random.nextInt(100));
			default -> sub(depth);
		};
	}

	private List<Object> many(Supplier<@Nullable Object> element) {
		int size = rare() ? 2000 : this.random.nextInt(3) + 1;
		Object first = element.get();
		List<Object> list = new ArrayList<>(Collections.nCopies(size, first));
		list.set(size - 1, element.get());
		return list;
	}

	private Object sub(int depth) {
		if (depth == 0 || this.random.nextInt(5) == 0) {
			return this.random.nextBoolean() ? Map.of("$ref", pick(List.of("#", "#/$defs/a")))
					: this.random.nextBoolean();
		}
		return schema(depth - 1);
	}

	/**
	 * Generate a value of a few megabytes at most, as that of a result is.
	 */
	private @Nullable Object value() {
		Object value = value(3);
		while (SchemaCheck.remaining(value, LARGEST) < 0) {
			value = value(3);
		}
		return value;
	}

	private @Nullable Object value(int depth) {
		return switch (this.random.nextInt((depth > 0) ? 8 : 4)) {
			case 0 -> text(rare() ? 200_000 : this.random.nextInt(20));
			case 1 -> pick(List.of(0, 1, -1, 1e308, 0.1, Long.MAX_VALUE));
			case 2 -> this.random.nextBoolean();
			case 3 -> null;
			case 4, 5 -> {
				Map<String, Object> map = new HashMap<>();
				for (int i = this.random.nextInt(4); i >= 0; i--) {
					map.put(rare() ? text(5000) : pick(NAMES), value(depth - 1));
				}
				yield map;
			}
			case 6 -> {
				Object deep = value(depth - 1);
				for (int i = rare() ? 150 : 3; i > 0; i--) {
					deep = Collections.singletonList(deep);
				}
				yield deep;
			}
			default -> rare() ? collisions() : many(() -> value(depth - 1));
		};
	}

	private List<String> collisions() {
		List<String> texts = new ArrayList<>();
		for (int i = 0; i < 1 << 13; i++) {
			StringBuilder text = new StringBuilder();
			for (int bit = 0; bit < 13; bit++) {
				text.append(((i >> bit & 1) == 0) ? "Aa" : "BB");
			}
			texts.add(text.toString());
		}
		return texts;
	}

	private Object junk() {
		return pick(List.of(1, "x", true, List.of(), Map.of(), List.of(1), Map.of("a", 1), ""));
	}

	/**
	 * Generate an expression that means the same to Java, for short texts of a few
	 * letters, where it is understood at all.
	 */
	private String regex(int depth) {
		if (depth == 0) {
			return pick(List.of("a", "b", "[ab]", "[^a]", ".", "\\w", "\\d", "\\.", "^a", "b$", "\\u0061", "\\p{L}",
					"A", "(?=a)", "(?i)a", "\\1", "[", ")", "(?:)", "\\b", "[\\w-]", "\\s"));
		}
		String inner = regex(depth - 1);
		return switch (this.random.nextInt(9)) {
			case 0 -> "(" + inner + ")*";
			case 1 -> "(?:" + inner + "){" + this.random.nextInt(3) + ",3}";
			case 2 -> "(?:" + inner + "|" + regex(depth - 1) + ")";
			case 3 -> inner + regex(depth - 1);
			case 4 -> "(?<n" + depth + ">" + inner + ")?";
			case 5 -> "(?:" + inner + ")+?";
			case 6 -> rare() ? "(?:" + inner + "){" + this.random.nextInt(2000) + "}" : inner;
			case 7 -> rare() ? "(?:" + inner + ")?".repeat(this.random.nextInt(2000)) : inner;
			default -> rare() ? "(".repeat(this.random.nextInt(100)) + inner + ")" : "(?:" + inner + "){2,}";
		};
	}

	private String text(int length) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < length; i++) {
			text.append(pick(List.of("a", "a", "b", "A", ".", "1", " ")));
		}
		return text.toString();
	}

	private boolean rare() {
		return this.random.nextInt(25) == 0;
	}

	private <T> T pick(List<T> list) {
		return list.get(this.random.nextInt(list.size()));
	}

}
