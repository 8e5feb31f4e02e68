package io.github.mcpclient.tool;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.networknt.schema.AbsoluteIri;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.regex.RegularExpression;
import io.github.mcpclient.support.Printable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A JSON schema, of revision 2020-12 unless it names another. It has a registry of its
 * own, so that an {@code $id} means nothing to other schemas, and loads nothing: neither
 * from the network, nor from files, nor from the class path. Safe for use by many
 * threads.
 */
final class CompiledSchema {

	private static final int MAX_VIOLATIONS = 5;

	private static final int NODE = 1000;

	private static final Pattern META_SCHEMAS = Pattern
		.compile("https?://json-schema\\.org/(draft/20(19-09|20-12)/(schema|meta/[a-z-]+)|draft-0[467]/schema)#?");

	private static final JsonMapper mapper = JsonMapper.builder().build();

	private final Map<String, SchemaPattern> patterns = new ConcurrentHashMap<>();

	private final Schema schema;

	/**
	 * Compile a schema within a budget. Fails if it takes more, if the schema is invalid,
	 * and if its dialect is not known.
	 */
	CompiledSchema(Map<String, Object> schema, CheckBudget budget) {
		if (schema.get("$schema") instanceof String dialect && !META_SCHEMAS.matcher(dialect).matches()) {
			throw new SchemaException("its dialect is not supported, $schema being " + dialect);
		}
		JsonNode tree = mapper.valueToTree(schema);
		budget.spend(NODE * MeteredKeyword.spendOnAll(budget, tree));
		SchemaRegistryConfig config = SchemaRegistryConfig.builder()
			.locale(Locale.ENGLISH)
			.preloadSchema(false)
			.regularExpressionFactory(this::pattern)
			.build();
		SchemaRegistry registry = SchemaRegistry.withDialects(MeteredKeyword.DIALECTS,
				(builder) -> builder.schemaRegistryConfig(config)
					.schemaLoader((loader) -> loader.allow(CompiledSchema::isMetaSchema)));
		this.schema = budget.run(() -> resolved(registry.getSchema(tree)));
	}

	private RegularExpression pattern(String regex) {
		return this.patterns.computeIfAbsent(regex, SchemaPattern::new);
	}

	/**
	 * Resolve references now, so that no check has to.
	 */
	private static Schema resolved(Schema schema) {
		try {
			schema.initializeValidators();
		}
		catch (CheckBudget.ExceededException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// reported where a value needs that reference
		}
		return schema;
	}

	private static boolean isMetaSchema(AbsoluteIri iri) {
		return META_SCHEMAS.matcher(iri.toString()).matches();
	}

	/**
	 * Return the patterns that every text passes, sorted.
	 */
	List<String> uncheckedPatterns() {
		return this.patterns.entrySet()
			.stream()
			.filter((pattern) -> !pattern.getValue().isChecked())
			.map(Map.Entry::getKey)
			.sorted()
			.toList();
	}

	/**
	 * Return the first violations, empty where the value matches. Fails if the check
	 * takes more than the budget, or the schema turns out to be invalid.
	 */
	List<String> violations(@Nullable Object value, CheckBudget budget) {
		try {
			budget.run(() -> {
				this.schema.validate(budget, mapper.valueToTree(value));
				return true;
			});
		}
		catch (CheckBudget.ExceededException ex) {
			if (!budget.hasEnoughErrors()) {
				throw ex;
			}
		}
		List<Error> errors = budget.certainErrors();
		List<String> violations = errors.stream()
			.limit(MAX_VIOLATIONS)
			.map(CompiledSchema::text)
			.collect(Collectors.toList());
		if (errors.size() > MAX_VIOLATIONS) {
			violations.add("and " + (errors.size() - MAX_VIOLATIONS) + " more");
		}
		return violations;
	}

	private static String text(Error error) {
		String location = error.getInstanceLocation().toString();
		return Printable.text((location.isEmpty() ? "" : location + ": ") + error.getMessage());
	}

}
