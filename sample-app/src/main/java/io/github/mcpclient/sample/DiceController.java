package io.github.mcpclient.sample;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Rolls the dice of a server, as a declared client.
 */
@RestController
class DiceController {

	private final Dice dice;

	DiceController(Dice dice) {
		this.dice = dice;
	}

	@GetMapping("/dice")
	Dice.Roll roll(@RequestParam(defaultValue = "6") int sides, @RequestParam(defaultValue = "2") int count) {
		return this.dice.diceRoll(sides, count);
	}

}
