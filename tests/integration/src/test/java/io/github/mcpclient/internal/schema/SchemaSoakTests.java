package io.github.mcpclient.internal.schema;

import io.github.mcpclient.testsupport.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A short {@link SchemaSoak}.
 */
class SchemaSoakTests {

	@RegisterExtension
	final CapturedLog log = new CapturedLog(SchemaCheck.class);

	@RegisterExtension
	final CapturedLog validatorLog = new CapturedLog("com.networknt.schema");

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
