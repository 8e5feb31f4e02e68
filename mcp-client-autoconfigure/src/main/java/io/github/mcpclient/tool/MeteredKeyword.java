package io.github.mcpclient.tool;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.annotation.Annotation;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.FormatKeyword;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A keyword that pays from the {@link CheckBudget} for what it is about to do.
 *
 * @param keyword the keyword
 */
record MeteredKeyword(Keyword keyword) implements Keyword {

	/**
	 * What a keyword of a schema costs: its time, and the memory that it keeps.
	 */
	private static final int COMPILED = 2000;

	private static final int CHARACTERS = 8;

	/**
	 * What it costs to compare two values.
	 */
	private static final int COMPARED = 20;

	/**
	 * Keywords that look at all of what they say, or tell it in an error.
	 */
	private static final Set<String> WHOLE = Set.of("const", "contains", "dependencies", "dependentRequired", "enum",
			"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf", "not", "required");

	/**
	 * Keywords that tell all of the schema that they are in.
	 */
	private static final Set<String> OF_PARENT = Set.of("maxContains", "minContains");

	/**
	 * Keywords that look at all of a value, however deep.
	 */
	private static final Set<String> DEEP = Set.of("const", "enum", "uniqueItems");

	/**
	 * Keywords that say what a text is. They are annotations, and the validator would
	 * check them by expressions of its own that take exponential time.
	 */
	private static final Set<String> ANNOTATIONS = Set.of("contentEncoding", "contentMediaType", "contentSchema",
			"format");

	/**
	 * The dialects that are known, the default first.
	 */
	static final List<Dialect> DIALECTS = List.of(metered(Dialects.getDraft202012()),
			metered(Dialects.getDraft201909()), metered(Dialects.getDraft7()), metered(Dialects.getDraft6()),
			metered(Dialects.getDraft4()));

	private static Dialect metered(Dialect dialect) {
		Set<Keyword> keywords = dialect.getKeywords()
			.values()
			.stream()
			.filter((keyword) -> !"format".equals(keyword.getValue()))
			.map(MeteredKeyword::new)
			.collect(Collectors.toSet());
		return Dialect.builder(dialect)
			.keywords(keywords)
			.formatKeywordFactory(Unchecked::new)
			.unknownKeywordFactory((keyword, context) -> null)
			.build();
	}

	@Override
	public String getValue() {
		return this.keyword.getValue();
	}

	@Override
	public @Nullable KeywordValidator newValidator(SchemaLocation location, JsonNode node, Schema parent,
			SchemaContext context) throws Exception {
		CheckBudget.current().spend(COMPILED);
		if (ANNOTATIONS.contains(getValue())) {
			return null;
		}
		if ("enum".equals(getValue())) {
			spendOnCollisions(CheckBudget.current(), node);
		}
		KeywordValidator validator = this.keyword.newValidator(location, node, parent, context);
		return (validator != null) ? new Metered(validator, cost(node, parent), DEEP.contains(getValue())) : null;
	}

	private long cost(JsonNode node, Schema parent) {
		if (OF_PARENT.contains(getValue())) {
			return spendOnAll(CheckBudget.current(), parent.getSchemaNode());
		}
		long cost = WHOLE.contains(getValue()) ? spendOnAll(CheckBudget.current(), node) : node.size();
		return "enum".equals(getValue()) ? COMPARED * cost : cost;
	}

	/**
	 * Pay for a look at all of a value.
	 */
	private static long spendOnAll(CheckBudget budget, JsonNode node) {
		long cost = 1 + size(node);
		budget.spend(cost);
		if (node.isContainer()) {
			for (JsonNode child : node.values()) {
				cost += spendOnAll(budget, child);
			}
		}
		return cost;
	}

	private static long size(JsonNode node) {
		if (node.isString()) {
			return node.stringValue().length() / CHARACTERS;
		}
		if (node.isBigInteger()) {
			return sizeOfNumber(node.bigIntegerValue().bitLength() / 3);
		}
		if (node.isBigDecimal()) {
			return sizeOfNumber(digits(node.decimalValue()));
		}
		return node.isFloatingPointNumber() ? sizeOfNumber(Math.abs(Math.getExponent(node.doubleValue())) / 3)
				: node.size();
	}

	private static long digits(BigDecimal number) {
		return number.precision() + Math.abs((long) number.scale());
	}

	/**
	 * Arithmetic of long numbers takes a time that grows with the square of it.
	 */
	private static long sizeOfNumber(long digits) {
		return digits + digits * digits / 16;
	}

	/**
	 * Values are compared with all that have the same hash code, which a server can give
	 * to many.
	 */
	private static void spendOnCollisions(CheckBudget budget, JsonNode node) {
		Map<Integer, Integer> seen = new HashMap<>();
		for (JsonNode child : node.values()) {
			budget.spend((long) COMPARED * seen.merge(child.hashCode(), 1, Integer::sum));
		}
	}

	/**
	 * A format, of which nothing is checked.
	 */
	private static final class Unchecked extends FormatKeyword {

		private Unchecked(Map<String, com.networknt.schema.format.Format> formats) {
			super(formats);
		}

		@Override
		public @Nullable KeywordValidator newValidator(SchemaLocation location, JsonNode node, Schema parent,
				SchemaContext context) {
			return null;
		}

	}

	private record Metered(KeywordValidator validator, long cost, boolean deep) implements KeywordValidator {

		@Override
		public void validate(ExecutionContext context, JsonNode node, JsonNode root, NodePath location) {
			CheckBudget budget = (CheckBudget) context;
			budget.spend(this.cost + size(node));
			if (budget.isUnevaluatedPropertiesPresent() || budget.isUnevaluatedItemsPresent()) {
				List<Annotation> annotations = budget.getAnnotations().asMap().get(location);
				budget.spend((1L + ((annotations != null) ? annotations.size() : 0)) * budget.depth());
			}
			if (this.deep) {
				spendOnAll(budget, node);
				if ("uniqueItems".equals(getKeyword())) {
					spendOnCollisions(budget, node);
				}
			}
			this.validator.validate(context, node, root, location);
		}

		@Override
		public void preloadSchema() {
			this.validator.preloadSchema();
		}

		@Override
		public String getKeyword() {
			return this.validator.getKeyword();
		}

		@Override
		public SchemaLocation getSchemaLocation() {
			return this.validator.getSchemaLocation();
		}

	}

}
