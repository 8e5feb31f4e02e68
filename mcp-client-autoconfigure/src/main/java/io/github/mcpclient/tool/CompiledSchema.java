package io.github.mcpclient.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

import com.networknt.schema.AbsoluteIri;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import io.github.mcpclient.support.Printable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A JSON schema, of revision 2020-12 where it does not say another, that values are
 * checked against. It has a validator of its own, so that an {@code $id} means the same
 * to no other schema, and reads nothing from elsewhere: neither from the network, nor
 * from files, nor from the class path. Safe for use by many threads.
 */
final class CompiledSchema {

	/**
	 * So many differences tell enough.
	 */
	private static final int MAX_VIOLATIONS = 5;

	private static final int MAX_WEIGHT = 50_000;

	private static final Pattern META_SCHEMAS = Pattern
		.compile("https?://json-schema\\.org/(draft/20(19-09|20-12)/(schema|meta/[a-z-]+)|draft-0[467]/schema)#?");

	private static final JsonMapper mapper = JsonMapper.builder().build();

	private final Map<String, SchemaPattern> patterns = new ConcurrentHashMap<>();

	private final Schema schema;

	/**
	 * Compile a schema.
	 * @param schema the schema
	 * @param budget how much work that may be
	 * @throws CheckBudget.ExceededException if it takes more than the budget
	 * @throws RuntimeException if the schema is none, or of a dialect that is not known
	 */
	CompiledSchema(Map<String, Object> schema, CheckBudget budget) {
		if (Weight.of(schema, MAX_WEIGHT) > MAX_WEIGHT) {
			throw new SchemaException("it is too large, or too deep");
		}
		if (schema.get("$schema") instanceof String dialect && !META_SCHEMAS.matcher(dialect).matches()) {
			throw new SchemaException("its dialect is not supported, $schema being " + dialect);
		}
		SchemaRegistryConfig config = SchemaRegistryConfig.builder()
			.locale(Locale.ENGLISH)
			.preloadSchema(false)
			.regularExpressionFactory(this::pattern)
			.build();
		SchemaRegistry registry = SchemaRegistry.withDialects(MeteredKeyword.DIALECTS,
				(builder) -> builder.schemaRegistryConfig(config)
					.schemaLoader((loader) -> loader.allow(CompiledSchema::isMetaSchema)));
		List<Schema> compiled = new ArrayList<>();
		budget.run(() -> {
			compiled.add(registry.getSchema(mapper.valueToTree(schema)));
			resolveReferences(compiled.get(0));
		});
		this.schema = compiled.get(0);
	}

	private SchemaPattern pattern(String regex) {
		SchemaPattern known = this.patterns.get(regex);
		if (known == null) {
			known = SchemaPattern.of(regex);
			this.patterns.put(regex, known);
		}
		return known;
	}

	/**
	 * Resolve what the schema refers to, so that no check has to.
	 */
	private static void resolveReferences(Schema schema) {
		try {
			schema.initializeValidators();
		}
		catch (CheckBudget.ExceededException | CheckBudget.StoppedException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// told where a value needs that reference
		}
	}

	/**
	 * Return whether a schema is one that the validator has itself.
	 */
	private static boolean isMetaSchema(AbsoluteIri iri) {
		return META_SCHEMAS.matcher(iri.toString()).matches();
	}

	/**
	 * Return the patterns of which nothing is checked.
	 * @return the patterns, sorted
	 */
	List<String> unchecked() {
		return this.patterns.entrySet()
			.stream()
			.filter((entry) -> !entry.getValue().isChecked())
			.map(Map.Entry::getKey)
			.sorted()
			.toList();
	}

	/**
	 * Check a value.
	 * @param value the value
	 * @param budget how much work that may be
	 * @return what does not fit, the first few; empty where the value fits
	 * @throws CheckBudget.ExceededException if it takes more than the budget
	 * @throws RuntimeException if the schema turns out not to be one
	 */
	List<String> violations(@Nullable Object value, CheckBudget budget) {
		budget.run(() -> this.schema.validate(budget, mapper.valueToTree(value)));
		List<Error> errors = budget.certainErrors();
		List<String> violations = new ArrayList<>();
		for (Error error : errors.subList(0, Math.min(MAX_VIOLATIONS, errors.size()))) {
			String place = error.getInstanceLocation().toString();
			violations.add(Printable.text((place.isEmpty() ? "" : place + ": ") + error.getMessage()));
		}
		if (errors.size() > MAX_VIOLATIONS) {
			violations.add("and " + (errors.size() - MAX_VIOLATIONS) + " more");
		}
		return violations;
	}

}
