package io.github.mcpclient.audit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

/**
 * Writes records to the table {@code MCP_AUDIT} of a database. Spring Boot configures one
 * if {@code mcp.audit.jdbc.enabled} is {@code true}, for the application's
 * {@link DataSource}; define a bean of this type for another one. Records are never
 * deleted. Safe for use by multiple threads.
 */
public final class JdbcMcpAuditSink implements McpAuditSink {

	private static final String INSERT = """
			INSERT INTO MCP_AUDIT (ID, BEGAN_AT, ACTION_NAME, SERVER_NAME, TOOL_NAME, CALLER_NAME, OUTCOME,
			DURATION_MS, CAUSE, ARGUMENTS_SHA256, ARGUMENTS) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

	private static final int QUERY_TIMEOUT_SECONDS = 30;

	private final DataSource dataSource;

	/**
	 * Create a sink, which connects when it writes the first record.
	 */
	public JdbcMcpAuditSink(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	/**
	 * Write records in one transaction.
	 * @throws SQLException if that fails, with a message without data of the records
	 */
	@Override
	public void write(List<McpAuditRecord> records) throws SQLException {
		try (Connection connection = this.dataSource.getConnection()) {
			boolean autoCommit = connection.getAutoCommit();
			connection.setAutoCommit(false);
			try {
				insert(connection, records);
				connection.commit();
			}
			catch (SQLException | RuntimeException ex) {
				connection.rollback();
				throw ex;
			}
			finally {
				connection.setAutoCommit(autoCommit);
			}
		}
	}

	// the message of a driver may quote the statement with its values
	private static SQLException refused(SQLException ex) {
		return new SQLException("Cannot write records to the table MCP_AUDIT: SQLState " + ex.getSQLState() + ", error "
				+ ex.getErrorCode() + " of the database", ex.getSQLState(), ex.getErrorCode());
	}

	private static void insert(Connection connection, List<McpAuditRecord> records) throws SQLException {
		try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
			insert.setQueryTimeout(QUERY_TIMEOUT_SECONDS);
			for (McpAuditRecord inserted : records) {
				insert.setString(1, UUID.randomUUID().toString());
				insert.setObject(2, inserted.time().atOffset(ZoneOffset.UTC));
				insert.setString(3, inserted.action());
				insert.setString(4, inserted.server());
				insert.setString(5, inserted.tool());
				insert.setString(6, inserted.caller());
				insert.setString(7, inserted.outcome().name());
				insert.setLong(8, inserted.duration().toMillis());
				insert.setString(9, inserted.cause());
				insert.setString(10, inserted.argumentsSha256());
				insert.setString(11, inserted.arguments());
				insert.addBatch();
			}
			insert.executeBatch();
		}
		catch (SQLException ex) {
			throw refused(ex);
		}
	}

}
