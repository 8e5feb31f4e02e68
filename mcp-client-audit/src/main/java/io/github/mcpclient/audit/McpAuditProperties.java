package io.github.mcpclient.audit;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of the audit.
 *
 * @param arguments Arguments in audit records: their SHA-256 (hashed), or the arguments
 * with masked values (masked).
 * @param maskedFields Names of members of arguments, at any depth, whose values are
 * masked, in addition to names that look like a credential.
 * @param log The audit in the log.
 * @param jdbc The audit in a database.
 */
@ConfigurationProperties("mcp.audit")
record McpAuditProperties(@DefaultValue("hashed") Arguments arguments, @DefaultValue List<String> maskedFields,
		@DefaultValue Log log, @DefaultValue Jdbc jdbc) {

	/**
	 * What records have of arguments.
	 */
	enum Arguments {

		/**
		 * Their SHA-256.
		 */
		HASHED,

		/**
		 * The arguments, with masks in place of some values.
		 */
		MASKED

	}

	/**
	 * The audit in the log.
	 *
	 * @param enabled Whether to log audit records.
	 */
	record Log(@DefaultValue("false") boolean enabled) {
	}

	/**
	 * The audit in a database.
	 *
	 * @param enabled Whether to write audit records to the table MCP_AUDIT of the
	 * application's database.
	 * @param initializeSchema When to create the table at startup: always, embedded (for
	 * an embedded database only) or never.
	 */
	record Jdbc(@DefaultValue("false") boolean enabled, @DefaultValue("embedded") InitializeSchema initializeSchema) {
	}

	/**
	 * When the schema is initialized: as in Spring Boot, which need not have databases.
	 */
	enum InitializeSchema {

		/**
		 * Always.
		 */
		ALWAYS,

		/**
		 * For an embedded database only.
		 */
		EMBEDDED,

		/**
		 * Never.
		 */
		NEVER

	}

}
