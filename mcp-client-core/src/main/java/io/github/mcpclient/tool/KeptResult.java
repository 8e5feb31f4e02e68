package io.github.mcpclient.tool;

/**
 * A result that was cut: its text, and its structured content as JSON, each empty if
 * there is none.
 *
 * @param max how many characters a model may read at a time
 */
record KeptResult(String text, String json, int max) {
}
