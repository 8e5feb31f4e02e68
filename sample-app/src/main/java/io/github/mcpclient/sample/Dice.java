package io.github.mcpclient.sample;

import java.util.List;

import io.github.mcpclient.declared.McpToolClient;

/**
 * The tool {@code dice_roll} of the {@link DemoMcpServer}.
 */
@McpToolClient("demo")
interface Dice {

	Roll diceRoll(int sides, int count);

	record Roll(List<Integer> rolls, int total) {
	}

}
