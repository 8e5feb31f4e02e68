package io.github.mcpclient.agent;

import io.github.mcpclient.McpTool;

/**
 * A tool that a search found.
 *
 * @param tool the tool
 * @param score how well it matches, positive: the higher the better. To be compared
 * within the results of one search only
 */
public record McpToolMatch(McpTool tool, double score) {

}
