package io.github.mcpclient.console;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.http.HttpStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Quota}.
 */
class QuotaTests {

	private final Visitor anna = new Visitor("anna", true);

	private final Visitor bert = new Visitor("bert", true);

	// whose name is no user's
	private final Visitor somebody = new Visitor("anna", false);

	private final Quota quota = new Quota(Quota.Kind.VIEWS, 2, 4);

	@Test
	void oneVisitorLeavesSomeToOthers() {
		this.quota.take(this.anna);
		this.quota.take(this.anna);
		refuses(this.anna, HttpStatus.TOO_MANY_REQUESTS);
		this.quota.take(this.bert);
		this.quota.take(this.somebody);
		refuses(this.bert, HttpStatus.SERVICE_UNAVAILABLE);
		this.quota.release(this.anna);
		this.quota.take(this.bert);
		refuses(this.bert, HttpStatus.TOO_MANY_REQUESTS);
		this.quota.release(this.anna);
		this.quota.take(this.anna);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					VIEWS | You have 1 open views already. Close one first. | All users together have 2 open views already. Try again later.
					READS | You have 1 pending requests already. Try again when one has completed. | All users together have 2 pending requests already. Try again later.
					CALLS | You have 1 running calls and actions already. Cancel a call, or try again when one has ended. | All users together have 2 running calls and actions already. Try again later.
					""")
	void saysWhatFitsTheKind(Quota.Kind kind, String toOne, String toAll) {
		Quota quota = new Quota(kind, 1, 2);
		quota.take(this.anna);
		assertThatExceptionOfType(ConsoleException.class).isThrownBy(() -> quota.take(this.anna)).withMessage(toOne);
		quota.take(this.bert);
		assertThatExceptionOfType(ConsoleException.class).isThrownBy(() -> quota.take(this.somebody))
			.withMessage(toAll);
	}

	private void refuses(Visitor visitor, HttpStatus status) {
		assertThatExceptionOfType(ConsoleException.class).isThrownBy(() -> this.quota.take(visitor))
			.satisfies((refused) -> assertThat(refused.status()).isEqualTo(status));
	}

}
