package io.github.mcpclient.console;

import org.junit.jupiter.api.Test;

import org.springframework.http.HttpStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Shares}.
 */
class SharesTests {

	private final Visitor anna = new Visitor("anna", true);

	private final Visitor bert = new Visitor("bert", true);

	// whose name is no user's
	private final Visitor somebody = new Visitor("anna", false);

	private final Shares shares = new Shares("views", 2, 4);

	@Test
	void oneVisitorLeavesSomeToOthers() {
		this.shares.take(this.anna);
		this.shares.take(this.anna);
		refuses(this.anna, HttpStatus.TOO_MANY_REQUESTS);
		this.shares.take(this.bert);
		this.shares.take(this.somebody);
		refuses(this.bert, HttpStatus.SERVICE_UNAVAILABLE);
		this.shares.release(this.anna);
		this.shares.take(this.bert);
		refuses(this.bert, HttpStatus.TOO_MANY_REQUESTS);
		this.shares.release(this.anna);
		this.shares.take(this.anna);
	}

	private void refuses(Visitor visitor, HttpStatus status) {
		assertThatExceptionOfType(ConsoleException.class).isThrownBy(() -> this.shares.take(visitor))
			.satisfies((refused) -> assertThat(refused.status()).isEqualTo(status));
	}

}
