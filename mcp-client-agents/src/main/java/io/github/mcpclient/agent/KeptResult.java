package io.github.mcpclient.agent;

import io.github.mcpclient.internal.support.MemoryBudget;

/**
 * A result that was cut: its text, and its structured content as JSON, each empty if
 * there is none.
 *
 * @param size what the structured content takes in memory, as {@link MemoryBudget#sizeOf}
 * has it
 * @param max how many characters a model may read at a time
 */
record KeptResult(String text, String json, long size, int max) {
}
