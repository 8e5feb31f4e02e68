package io.github.mcpclient.audit;

import javax.sql.DataSource;

import org.springframework.boot.jdbc.init.DatabaseInitializationProperties;
import org.springframework.boot.jdbc.init.PropertiesBasedDataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * Creates the table of the audit if it does not exist.
 */
final class AuditSchema extends PropertiesBasedDataSourceScriptDatabaseInitializer<AuditSchema.Settings> {

	AuditSchema(DataSource dataSource, String mode) {
		super(dataSource, new Settings(DatabaseInitializationMode.valueOf(mode)));
	}

	static final class Settings extends DatabaseInitializationProperties {

		private Settings(DatabaseInitializationMode mode) {
			setInitializeSchema(mode);
		}

		@Override
		public String getDefaultSchemaLocation() {
			return "classpath:io/github/mcpclient/audit/schema-@@platform@@.sql";
		}

	}

}
