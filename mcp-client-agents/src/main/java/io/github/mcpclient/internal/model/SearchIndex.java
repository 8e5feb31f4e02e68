package io.github.mcpclient.internal.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A part of an index of tools, which ranks them by BM25F: a word of a query counts by how
 * few tools have it, and by where a tool has it. Immutable.
 *
 * @param <T> what stands for a tool
 */
public final class SearchIndex<T> {

	private static final int MAX_QUERY = 1_000;

	private static final int MAX_WORDS = 32;

	private static final int MAX_TERMS = 2 * MAX_WORDS;

	private static final double SYNONYM = 0.5;

	private static final int WEIGHT_BITS = 5;

	private static final int MAX_WEIGHT = (1 << WEIGHT_BITS) - 1;

	private final List<Document<T>> documents;

	// of the words, sorted
	private final int[] hashes;

	// where the documents of each word begin, and where the last one's end
	private final int[] starts;

	// by word, each with the weight of the word in the lower bits
	private final int[] postings;

	/**
	 * Create an index of some tools.
	 */
	public SearchIndex(List<Document<T>> documents) {
		this.documents = documents;
		long[] all = new long[documents.stream().mapToInt((document) -> document.words.length).sum()];
		int size = 0;
		for (int i = 0; i < documents.size(); i++) {
			for (int word : documents.get(i).words) {
				all[size++] = ((long) word >> WEIGHT_BITS << Integer.SIZE) | (i << WEIGHT_BITS) | (word & MAX_WEIGHT);
			}
		}
		Arrays.sort(all);
		this.postings = new int[size];
		int[] hashes = new int[size];
		int[] starts = new int[size + 1];
		int words = 0;
		for (int i = 0; i < size; i++) {
			int hash = (int) (all[i] >> Integer.SIZE);
			if (i == 0 || hash != hashes[words - 1]) {
				hashes[words] = hash;
				starts[words++] = i;
			}
			this.postings[i] = (int) all[i];
		}
		starts[words] = size;
		this.hashes = Arrays.copyOf(hashes, words);
		this.starts = Arrays.copyOf(starts, words + 1);
	}

	/**
	 * Find the tools that have words of a query.
	 * @param parts of the index
	 * @param query of which some words are read
	 * @param max how many tools to find at most
	 * @param eligible tells which tools may be found
	 * @param order of tools that match equally well
	 * @return the best first
	 * @throws IllegalArgumentException if the maximum is negative
	 */
	public static <T> List<Hit<T>> search(List<SearchIndex<T>> parts, String query, int max, Predicate<T> eligible,
			Comparator<T> order) {
		Assert.isTrue(max >= 0, "The most tools to find must not be negative: " + max);
		Query terms = new Query(query);
		double[] rarity = rarity(parts, terms);
		Comparator<Hit<T>> bestFirst = Comparator.<Hit<T>>comparingDouble(Hit::score)
			.reversed()
			.thenComparing(Hit::tool, order);
		PriorityQueue<Hit<T>> best = new PriorityQueue<>(bestFirst.reversed());
		for (SearchIndex<T> part : parts) {
			double[] scores = part.scores(terms, rarity);
			for (int i = 0; i < scores.length && max > 0; i++) {
				if (scores[i] > 0 && (best.size() < max || scores[i] >= best.element().score())) {
					Hit<T> hit = new Hit<>(part.documents.get(i).tool, scores[i]);
					if ((best.size() < max || bestFirst.compare(hit, best.element()) < 0)
							&& eligible.test(hit.tool())) {
						best.add(hit);
						if (best.size() > max) {
							best.remove();
						}
					}
				}
			}
		}
		return best.stream().sorted(bestFirst).toList();
	}

	private static <T> double[] rarity(List<SearchIndex<T>> parts, Query terms) {
		int all = parts.stream().mapToInt((part) -> part.documents.size()).sum();
		int[] having = new int[terms.size];
		for (SearchIndex<T> part : parts) {
			for (int i = 0; i < terms.size; i++) {
				int word = Arrays.binarySearch(part.hashes, terms.hashes[i]);
				having[i] += (word >= 0) ? part.starts[word + 1] - part.starts[word] : 0;
			}
		}
		double[] rarity = new double[terms.size];
		for (int i = 0; i < terms.size; i++) {
			// parts of a word count only where no tool has the whole
			if (terms.wholes[i] == i || having[terms.wholes[i]] == 0) {
				boolean synonym = terms.synonyms[i];
				rarity[i] = (synonym ? SYNONYM : 1) / MAX_WEIGHT
						* Math.log1p((all - having[i] + 0.5) / (having[i] + 0.5));
			}
		}
		return rarity;
	}

	private double[] scores(Query terms, double[] rarity) {
		double[] scores = new double[this.documents.size()];
		// of a word and its synonyms the best counts
		double[] ofWord = new double[scores.length];
		for (int i = 0; i < terms.size; i++) {
			if (!terms.synonyms[i]) {
				Arrays.fill(ofWord, 0);
			}
			int word = Arrays.binarySearch(this.hashes, terms.hashes[i]);
			for (int j = (word >= 0) ? this.starts[word] : 0; word >= 0 && j < this.starts[word + 1]; j++) {
				int document = this.postings[j] >>> WEIGHT_BITS;
				double score = rarity[i] * (this.postings[j] & MAX_WEIGHT);
				if (score > ofWord[document]) {
					scores[document] += score - ofWord[document];
					ofWord[document] = score;
				}
			}
		}
		return scores;
	}

	private static int hash(String word) {
		// a prime spreads similar values, and the upper bits are used
		return (word.hashCode() * 0x9E3779B1) >> WEIGHT_BITS;
	}

	/**
	 * A tool that was found.
	 */
	public record Hit<T>(T tool, double score) {
	}

	/**
	 * A tool, and its words. Names, titles and descriptions come from servers: the length
	 * of each is limited, and repetition does not improve the rank of a tool. Immutable.
	 */
	public static final class Document<T> {

		private static final int MAX_TEXT = 4_000;

		// so that a tool takes less than a kilobyte even if no other one has its words
		private static final int MAX_WORDS = 56;

		// of BM25: when there is enough of a word
		private static final double SATURATION = 1.2;

		private final T tool;

		// the hash of each, with its weight in the lower bits
		private final int[] words;

		/**
		 * Read a tool.
		 * @param names its names, which count most
		 * @param inputSchema the JSON schema of its arguments, of which the names and
		 * descriptions of the properties are read
		 */
		public Document(T tool, Collection<String> names, @Nullable String title, @Nullable String description,
				Map<String, @Nullable Object> inputSchema) {
			this.tool = tool;
			Fields fields = new Fields();
			fields.add(3, 6, names);
			fields.add(2, 4, (title != null) ? List.of(title) : List.of());
			fields.add(1, 20, (description != null) ? List.of(description) : List.of());
			fields.add(0.5, 30, parameters(inputSchema));
			this.words = fields.weights.entrySet()
				.stream()
				.mapToInt((word) -> (hash(word.getKey()) << WEIGHT_BITS)
						| (int) Math.ceil(MAX_WEIGHT * word.getValue() / (word.getValue() + SATURATION)))
				.toArray();
		}

		private static List<String> parameters(Map<String, @Nullable Object> inputSchema) {
			List<String> texts = new ArrayList<>();
			if (inputSchema.get("properties") instanceof Map<?, ?> properties) {
				properties.entrySet().stream().limit(MAX_WORDS).forEach((property) -> {
					texts.add(String.valueOf(property.getKey()));
					if (property.getValue() instanceof Map<?, ?> schema
							&& schema.get("description") instanceof String description) {
						texts.add(description);
					}
				});
			}
			return texts;
		}

		/**
		 * Return the tool.
		 */
		public T tool() {
			return this.tool;
		}

		int size() {
			return this.words.length;
		}

	}

	/**
	 * Collects the words of a tool, field by field.
	 */
	private static final class Fields {

		// of BM25: how much words of a long text count less
		private static final double LENGTH = 0.5;

		private static final int MAX_REPETITION = 2;

		private final Map<String, Double> weights = new LinkedHashMap<>();

		private int left = Document.MAX_TEXT;

		/**
		 * Add a field.
		 * @param usual how many words such a field usually has
		 */
		private void add(double weight, int usual, Collection<String> texts) {
			Map<String, Integer> counts = new LinkedHashMap<>();
			texts.forEach((text) -> {
				Words.split(text, this.left, (word) -> counts.merge(word.text(), 1, Integer::sum));
				this.left -= Math.min(this.left, text.length());
			});
			int words = counts.values().stream().mapToInt(Integer::intValue).sum();
			double length = 1 - LENGTH + LENGTH * words / usual;
			counts.forEach((word, count) -> {
				if (this.weights.size() < Document.MAX_WORDS || this.weights.containsKey(word)) {
					this.weights.merge(word, weight * Math.min(count, MAX_REPETITION) / length, Double::sum);
				}
			});
		}

	}

	/**
	 * The words of a query, each followed by its synonyms.
	 */
	private static final class Query {

		private final int[] hashes = new int[MAX_TERMS];

		private final boolean[] synonyms = new boolean[MAX_TERMS];

		// of which word it is one of the parts, or itself
		private final int[] wholes = new int[MAX_TERMS];

		private int size;

		private int parts;

		private Query(String text) {
			Set<String> known = new HashSet<>();
			Words.split(text, MAX_QUERY, (word) -> {
				if (known.size() < MAX_WORDS && this.size < MAX_TERMS && known.add(word.text())) {
					if (word.part()) {
						add(word.text(), false);
						return;
					}
					Arrays.fill(this.wholes, this.parts, this.size, this.size);
					add(word.text(), false);
					Words.synonyms(word.text()).forEach((synonym) -> add(synonym, true));
					this.parts = this.size;
				}
			});
		}

		private void add(String word, boolean synonym) {
			if (this.size < MAX_TERMS) {
				this.hashes[this.size] = hash(word);
				this.synonyms[this.size] = synonym;
				this.wholes[this.size] = this.size++;
			}
		}

	}

}
