package io.github.mcpclient.audit;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

import javax.sql.DataSource;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * Tests for {@link JdbcMcpAuditSink} whose database refuses records. The tests of
 * {@code tests/smoke/oauth2} have a real one.
 */
class JdbcMcpAuditSinkTests {

	private final Connection connection = mock();

	private final PreparedStatement statement = mock();

	private final DataSource dataSource = mock();

	@BeforeEach
	void connect() throws SQLException {
		given(this.dataSource.getConnection()).willReturn(this.connection);
		given(this.connection.getAutoCommit()).willReturn(true);
		given(this.connection.prepareStatement(anyString())).willReturn(this.statement);
	}

	private void write() throws SQLException {
		new JdbcMcpAuditSink(this.dataSource).write(List.of(FairQueueTests.record("a")));
	}

	@Test
	void whatTheDriverQuotesIsNotInTheMessage() throws Exception {
		given(this.statement.executeBatch()).willThrow(new BatchUpdateException(
				"Batch entry 0 INSERT INTO MCP_AUDIT VALUES (('alice')) was aborted", "22001", 7, new int[0]));
		assertThatExceptionOfType(SQLException.class).isThrownBy(this::write)
			.withMessage("Cannot write records to the table MCP_AUDIT: SQLState 22001, error 7 of the database")
			.withNoCause();
		then(this.connection).should().rollback();
		then(this.connection).should().setAutoCommit(true);
	}

	@Test
	void nothingIsCommittedWhereADriverFailsOtherwise() throws Exception {
		given(this.statement.executeBatch()).willThrow(new IllegalStateException("driver"));
		assertThatIllegalStateException().isThrownBy(this::write);
		then(this.connection).should().rollback();
		then(this.connection).should(never()).commit();
	}

}
