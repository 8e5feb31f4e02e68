package io.github.mcpclient.tool;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A short {@link SchemaSoak}.
 */
@Timeout(180)
class SchemaSoakTests {

	private final LoggingSystem logging = LoggingSystem.get(SchemaSoakTests.class.getClassLoader());

	@BeforeEach
	void quiet() {
		level(LogLevel.OFF);
	}

	@AfterEach
	void loud() {
		level(null);
	}

	private void level(LogLevel level) {
		this.logging.setLogLevel(SchemaCheck.class.getName(), level);
		this.logging.setLogLevel("com.networknt.schema", level);
	}

	@Test
	void generatedSchemasCostNoMoreThanTheyMay() {
		SchemaSoak soak = new SchemaSoak(42);
		for (int i = 0; i < 300; i++) {
			soak.step();
		}
		soak.threads(20);
		assertThat(soak.failures()).isEmpty();
	}

}
