package io.github.mcpclient.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A table in Markdown: the first column is text, the others are figures.
 */
final class Table {

	private final List<String> header;

	private final List<List<String>> rows = new ArrayList<>();

	Table(String... header) {
		this.header = List.of(header);
	}

	void row(String... cells) {
		this.rows.add(List.of(cells));
	}

	static String number(double value, int decimals) {
		return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%,." + decimals + "f", value);
	}

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder();
		append(text, this.header);
		text.append("|---").append("|---:".repeat(this.header.size() - 1)).append("|\n");
		this.rows.forEach((row) -> append(text, row));
		return text.toString();
	}

	private void append(StringBuilder text, List<String> row) {
		text.append('|');
		for (int i = 0; i < row.size(); i++) {
			String padding = " ".repeat(width(i) - row.get(i).length());
			text.append(' ').append((i != 0) ? padding + row.get(i) : row.get(i) + padding).append(" |");
		}
		text.append('\n');
	}

	private int width(int column) {
		return Math.max(this.header.get(column).length(),
				this.rows.stream().mapToInt((row) -> row.get(column).length()).max().orElse(0));
	}

}
