package io.github.mcpclient.transport.stdio;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.mcpclient.support.Printable;

/**
 * Finds JSON objects in the output of a process that does not write one message a line:
 * beside something else, several on a line, one on several lines, or without a line feed.
 * Each byte is looked at once, as a character: what matters is ASCII. One thread uses it.
 */
final class StdoutObjects {

	private static final int MAX_BESIDE = 1000;

	private static final Pattern START = Pattern.compile("\\{\\s*+(?:[\"}]|$)");

	/**
	 * What parts or frames messages, and is no text that could quote one.
	 */
	private static final Pattern FRAMING = Pattern.compile("(?i)[\\s,;\\[\\]]|data:|content-length: *\\d+");

	private final int limit;

	private StringBuilder beside = new StringBuilder();

	/**
	 * The object that has begun, perhaps on an earlier line.
	 */
	private StringBuilder open = new StringBuilder();

	private Braces braces = new Braces();

	/**
	 * Those of the line that has not ended yet.
	 */
	private Braces unfinished = new Braces();

	/**
	 * Creates a finder.
	 * @param limit the largest object, in bytes
	 */
	StdoutObjects(long limit) {
		this.limit = (int) Math.min(Integer.MAX_VALUE, limit);
	}

	/**
	 * Returns the objects that end on a line.
	 */
	List<byte[]> take(byte[] bytes, int offset, int length) {
		String line = new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
		List<byte[]> objects = new ArrayList<>();
		this.beside = new StringBuilder();
		Matcher start = START.matcher(line);
		boolean begun = isOpen();
		int at = begun ? take(line, 0, objects) : 0;
		while (start.find(at)) {
			this.beside.append(line, at, start.start());
			at = take(line, start.start(), objects);
		}
		this.beside.append(line, at, line.length());
		// a string has no line feed, and what was cut off ends anywhere
		boolean goesOn = (begun || "{[,:".indexOf(this.braces.last) != -1) && !this.braces.string;
		if (!goesOn || this.open.length() > this.limit || isText()) {
			clear();
		}
		return objects;
	}

	private int take(String line, int start, List<byte[]> objects) {
		int end = this.braces.end(line, start);
		this.open.append(line, start, (end != -1) ? end : line.length());
		if (end == -1) {
			return line.length();
		}
		objects.add(this.open.toString().getBytes(StandardCharsets.ISO_8859_1));
		clear();
		return end;
	}

	/**
	 * Returns whether an object goes on on the next line.
	 */
	boolean isOpen() {
		return !this.open.isEmpty();
	}

	/**
	 * Forgets the object that has begun.
	 */
	void clear() {
		this.open = new StringBuilder();
		this.braces = new Braces();
	}

	/**
	 * Returns what is on the line beside objects.
	 */
	String beside() {
		return new String(this.beside.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
	}

	/**
	 * Returns whether that is more than what parts or frames messages.
	 */
	boolean isText() {
		return !FRAMING.matcher(Printable.line(beside(), MAX_BESIDE)).replaceAll("").isEmpty();
	}

	/**
	 * Returns whether the line that has not ended yet ends with an object.
	 * @param chunk what was read last, after its lines were {@linkplain #take taken}
	 */
	boolean isComplete(byte[] chunk, int count) {
		String text = new String(chunk, 0, count, StandardCharsets.ISO_8859_1);
		int line = text.lastIndexOf('\n') + 1;
		if (line > 0) {
			this.unfinished = new Braces();
			this.unfinished.depth = this.braces.depth;
		}
		boolean closed = false;
		for (int at = line; at != -1; at = this.unfinished.end(text, at)) {
			closed = at > line;
		}
		boolean complete = closed && this.unfinished.depth == 0;
		if (complete) {
			this.unfinished = new Braces();
		}
		return complete;
	}

	/**
	 * Where an object ends that comes piece by piece.
	 */
	private static final class Braces {

		private int depth;

		private boolean string;

		private boolean escaped;

		/**
		 * What was last, but for blanks.
		 */
		private char last;

		/**
		 * Returns the index after the end of the object; -1 if it goes on.
		 */
		int end(String text, int from) {
			for (int i = from; i < text.length(); i++) {
				char c = text.charAt(i);
				this.last = (c > ' ') ? c : this.last;
				if (this.string) {
					this.string = this.escaped || c != '"';
					this.escaped = !this.escaped && c == '\\';
				}
				else if (c == '{') {
					this.depth++;
				}
				else if (this.depth > 0) {
					this.string = c == '"';
					this.depth -= (c == '}') ? 1 : 0;
					if (this.depth == 0) {
						return i + 1;
					}
				}
			}
			return -1;
		}

	}

}
