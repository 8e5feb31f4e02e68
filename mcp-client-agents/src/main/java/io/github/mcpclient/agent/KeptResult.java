package io.github.mcpclient.agent;

import io.github.mcpclient.internal.support.MemoryBudget;

/**
 * A result that was cut: its text, and its structured content as JSON, each empty if the
 * result lacks it.
 *
 * @param size the memory of the structured content, from {@link MemoryBudget#sizeOf}
 * @param max how many characters a model may read at a time
 */
record KeptResult(String text, String json, long size, int max) {
}
