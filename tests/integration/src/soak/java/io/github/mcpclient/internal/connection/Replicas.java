package io.github.mcpclient.internal.connection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.mcpclient.auth.oauth2.TokenRenewals;
import io.github.mcpclient.internal.connection.ReplicaSimulation.Failure;
import io.github.mcpclient.internal.connection.ReplicaSimulation.Outcome;

/**
 * Simulates many replicas of an application that meet one server, and one authorization
 * server: prints the tables of {@code docs/scale.md}, and draws the attempts over time.
 */
public final class Replicas {

	private static final List<Double> JITTERS = List.of(1.0, 0.5, 0.0);

	private static final int SECONDS = 150;

	private static final int WIDTH = 250;

	private static final int HEIGHT = 90;

	private final int replicas;

	private final int away;

	private final long seed;

	private final List<Outcome> outcomes = new ArrayList<>();

	Replicas(int replicas, int away, int capacity, int retryAfter, long seed) {
		this.replicas = replicas;
		this.away = away;
		this.seed = seed;
		ReplicaSimulation simulation = new ReplicaSimulation(replicas, Duration.ofSeconds(away), capacity);
		List<Failure> failures = List.of(new Failure("refuses connections", Duration.ZERO, null),
				new Failure("HTTP 503, `Retry-After: " + retryAfter + "`", Duration.ZERO,
						Duration.ofSeconds(retryAfter)),
				new Failure("is silent", Duration.ofSeconds(10), null));
		for (Failure failure : failures) {
			JITTERS.forEach((jitter) -> this.outcomes.add(simulation.run(failure, jitter, seed)));
		}
	}

	/**
	 * Run it.
	 * @param args {@code --replicas}, {@code --away} in seconds, {@code --capacity} of
	 * the server in a second, {@code --retry-after} in seconds, {@code --seed}, and
	 * {@code --svg}, the file to draw to
	 */
	public static void main(String[] args) throws IOException {
		Map<String, String> options = new HashMap<>(Map.of("--replicas", "1000", "--away", "30", "--capacity", "100",
				"--retry-after", "30", "--seed", "42", "--svg", "../../docs/scale.svg"));
		for (int i = 0; i < args.length; i += 2) {
			if (i + 1 == args.length || options.replace(args[i], args[i + 1]) == null) {
				System.err.println("Usage: benchmarks/replicas " + options);
				System.exit(2);
			}
		}
		Replicas replicas = new Replicas(Integer.parseInt(options.get("--replicas")),
				Integer.parseInt(options.get("--away")), Integer.parseInt(options.get("--capacity")),
				Integer.parseInt(options.get("--retry-after")), Long.parseLong(options.get("--seed")));
		System.out.println(replicas.connections());
		System.out.println(replicas.renewals());
		Files.writeString(Path.of(options.get("--svg")), replicas.svg());
	}

	List<Outcome> outcomes() {
		return this.outcomes;
	}

	/**
	 * Return the table of attempts to connect.
	 */
	String connections() {
		StringBuilder table = new StringBuilder(
				"""
						| while it is away, the peer | `jitter` | attempts/s at most, while away | after | 99 % connected after | attempts |
						|---|---:|---:|---:|---:|---:|
						""");
		this.outcomes
			.forEach((outcome) -> table.append(String.format(Locale.ROOT, "| %s | %s | %,d | %,d | %,d s | %,d |%n",
					outcome.failure().name(), number(outcome.jitter()), outcome.mostWhileAway(),
					outcome.mostAfterwards(), outcome.connected(0.99).toSeconds(), outcome.total())));
		return table.toString();
	}

	/**
	 * Return the table of renewals.
	 */
	String renewals() {
		StringBuilder table = new StringBuilder("""
				| `expires_in` | renewals/s at most | renewed within |
				|---:|---:|---:|
				""");
		for (int life : new int[] { 300, 3600 }) {
			TokenRenewals renewals = TokenRenewals.of(this.replicas, Duration.ofSeconds(life), this.seed);
			table.append(String.format(Locale.ROOT, "| %d | %,d | %,d s |%n", life, renewals.mostPerSecond(),
					renewals.within().toSeconds()));
		}
		return table.toString();
	}

	String svg() {
		int most = this.outcomes.stream()
			.mapToInt((outcome) -> Math.max(outcome.mostWhileAway(), outcome.mostAfterwards()))
			.max()
			.orElseThrow();
		StringBuilder svg = new StringBuilder("""
				<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 440" width="860" height="440">
				<title>Attempts of %,d replicas to connect, per second</title>
				<style>
				text { font: 11px sans-serif; fill: #444 }
				rect { fill: #8884 }
				path { stroke: #2a6fdb; stroke-width: 1.6; fill: none }
				.axis { stroke: #888; stroke-width: 1 }
				@media (prefers-color-scheme: dark) { text { fill: #ccc } path { stroke: #6ea8ff } }
				</style>
				""".formatted(this.replicas));
		for (int i = 0; i < this.outcomes.size(); i++) {
			panel(svg, this.outcomes.get(i), 60 + i % JITTERS.size() * (WIDTH + 15),
					30 + i / JITTERS.size() * (HEIGHT + 45), most);
		}
		text(svg, 425, 432, "middle", "Attempts per second. While it is grey, the peer is away.");
		return svg.append("</svg>\n").toString();
	}

	private void panel(StringBuilder svg, Outcome outcome, int left, int top, int most) {
		double second = (double) WIDTH / SECONDS;
		int bottom = top + HEIGHT;
		svg.append(String.format(Locale.ROOT, "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n", left, top,
				this.away * second, HEIGHT));
		text(svg, left, top - 6, "start",
				outcome.failure().name().replace("`", "") + ", jitter " + number(outcome.jitter()));
		if (left == 60) {
			text(svg, left - 5, top + 8, "end", String.format(Locale.ROOT, "%,d/s", most));
			text(svg, left - 5, bottom, "end", "0/s");
		}
		for (int time = 0; time < SECONDS; time += 30) {
			text(svg, (int) (left + time * second), bottom + 13, "middle", time + " s");
		}
		svg.append("<path class=\"axis\" d=\"M%d %dh%d\"/>%n<path d=\"".formatted(left, bottom, WIDTH));
		for (int i = 0; i < Math.min(SECONDS, outcome.perSecond().size()); i++) {
			int attempts = outcome.perSecond().get(i);
			if (attempts > 0) {
				svg.append(String.format(Locale.ROOT, "M%.1f %dv-%.1f", left + (i + 0.5) * second, bottom,
						(double) attempts * HEIGHT / most));
			}
		}
		svg.append("\"/>\n");
	}

	private static void text(StringBuilder svg, int x, int y, String anchor, String text) {
		svg.append("<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n".formatted(x, y, anchor, text));
	}

	private static String number(double jitter) {
		return String.valueOf(jitter).replace(".0", "");
	}

}
