package io.github.mcpclient.internal.schema;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.FormatKeyword;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A keyword that charges its work to the {@link CheckBudget} in advance.
 */
record MeteredKeyword(Keyword keyword) implements Keyword {

	// for time, and for retained memory
	private static final int COMPILED = 2000;

	private static final int CHARACTERS = 8;

	private static final int COMPARISON = 20;

	// keywords that compare the whole value, at any depth
	private static final Set<String> COMPARING = Set.of("const", "enum", "uniqueItems");

	// keywords that the validator would check with expressions that take exponential time
	private static final Set<String> UNCHECKED = Set.of("contentEncoding", "contentMediaType", "contentSchema");

	// the supported dialects, the default first
	static final List<Dialect> DIALECTS = Stream
		.of(Dialects.getDraft202012(), Dialects.getDraft201909(), Dialects.getDraft7(), Dialects.getDraft6(),
				Dialects.getDraft4())
		.map(MeteredKeyword::metered)
		.toList();

	private static Dialect metered(Dialect dialect) {
		Set<Keyword> keywords = dialect.getKeywords()
			.values()
			.stream()
			.filter((keyword) -> !"format".equals(keyword.getValue()))
			.map(MeteredKeyword::new)
			.collect(Collectors.toSet());
		return Dialect.builder(dialect)
			.keywords(keywords)
			.formatKeywordFactory((formats) -> new FormatKeyword(Map.of()))
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
		CheckBudget budget = CheckBudget.current();
		budget.spend(COMPILED);
		if (UNCHECKED.contains(getValue())) {
			return null;
		}
		long cost = spendOnAll(budget, node);
		if ("enum".equals(getValue())) {
			spendOnCollisions(budget, node);
			cost *= COMPARISON;
		}
		KeywordValidator validator = this.keyword.newValidator(location, node, parent, context);
		return (validator != null) ? new Metered(validator, cost) : null;
	}

	/**
	 * Charge for a traversal of the whole value, and return the cost.
	 */
	static long spendOnAll(CheckBudget budget, JsonNode node) {
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
		if (node.isBigInteger() || node.isBigDecimal()) {
			return sizeOfNumber(node.decimalValue().precision() + Math.abs((long) node.decimalValue().scale()));
		}
		return node.isFloatingPointNumber() ? sizeOfNumber(Math.abs(Math.getExponent(node.doubleValue())) / 3)
				: node.size();
	}

	// arithmetic on long numbers takes quadratic time
	private static long sizeOfNumber(long digits) {
		return digits + digits * digits / 16;
	}

	// a value is compared with all others of the same hash code, which a server can
	// choose
	private static void spendOnCollisions(CheckBudget budget, JsonNode node) {
		Map<Integer, Integer> seen = new HashMap<>();
		for (JsonNode child : node.values()) {
			budget.spend((long) COMPARISON * seen.merge(child.hashCode(), 1, Integer::sum));
		}
	}

	private record Metered(KeywordValidator validator, long cost) implements KeywordValidator {

		@Override
		public void validate(ExecutionContext context, JsonNode node, JsonNode root, NodePath location) {
			CheckBudget budget = (CheckBudget) context;
			budget.enterKeyword(this.cost + size(node), location);
			if (COMPARING.contains(getKeyword())) {
				spendOnAll(budget, node);
				if ("uniqueItems".equals(getKeyword())) {
					spendOnCollisions(budget, node);
				}
			}
			this.validator.validate(context, node, root, location);
			budget.leaveKeyword();
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
