package io.github.mcpclient.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import com.networknt.schema.AbsoluteIri;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
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

	private static final Pattern META_SCHEMAS = Pattern
		.compile("https?://json-schema\\.org/(draft/20(19-09|20-12)/(schema|meta/[a-z-]+)|draft-0[467]/schema)#?");

	private static final JsonMapper mapper = JsonMapper.builder().build();

	private final Schema schema;

	/**
	 * Compile a schema.
	 * @param schema the schema
	 * @throws RuntimeException if that is not possible
	 */
	CompiledSchema(Map<String, Object> schema) {
		SchemaRegistryConfig config = SchemaRegistryConfig.builder()
			.locale(Locale.ENGLISH)
			.preloadSchema(false)
			.regularExpressionFactory(CheckBudget::expression)
			.build();
		SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12,
				(builder) -> builder.schemaRegistryConfig(config)
					.schemaLoader((loader) -> loader.allow(CompiledSchema::isMetaSchema)));
		this.schema = registry.getSchema(mapper.valueToTree(schema));
	}

	/**
	 * Return whether a schema is one that the validator has itself.
	 */
	private static boolean isMetaSchema(AbsoluteIri iri) {
		return META_SCHEMAS.matcher(iri.toString()).matches();
	}

	/**
	 * Check a value.
	 * @param value the value
	 * @param budget how much work that may be
	 * @return what does not fit, the first few; empty where the value fits
	 * @throws CheckBudget.ExceededException if it takes more than the budget
	 * @throws RuntimeException if the schema turns out not to be one
	 */
	List<String> violations(@Nullable Object value, long budget) {
		CheckBudget context = new CheckBudget(budget);
		context.run(() -> this.schema.validate(context, mapper.valueToTree(value)));
		List<Error> errors = context.getErrors();
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
