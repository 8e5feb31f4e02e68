package io.github.mcpclient.definition;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

import io.github.mcpclient.definition.McpServerAuth.GrantType;
import io.github.mcpclient.definition.McpServerAuth.Listing;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class McpServerAuthBuilderTests {

	@Test
	void settingsInferTheType() {
		McpServerDefinition server = McpServerDefinition.http("crm", URI.create("https://crm.example/mcp"))
			.auth((auth) -> auth.allowInsecure(true)
				.oauth2((oauth2) -> oauth2.clientId("me")
					.clientSecret("s3cr3t")
					.grantType(GrantType.AUTHORIZATION_CODE)
					.listing(Listing.USER)
					.scopes("read", "write")
					.clockSkew(Duration.ofSeconds(5))
					.tokenFile(Path.of("tokens"))))
			.build();
		assertThat(server.auth().type()).isEqualTo(McpServerAuth.OAUTH2);
		assertThat(server.auth().allowInsecure()).isTrue();
		assertThat(server.auth().oauth2()).satisfies((oauth2) -> {
			assertThat(oauth2.clientId()).isEqualTo("me");
			assertThat(oauth2.grantType()).isEqualTo(GrantType.AUTHORIZATION_CODE);
			assertThat(oauth2.scopes()).containsExactly("read", "write");
			assertThat(oauth2.clockSkew()).hasSeconds(5);
			assertThat(oauth2.tokenFile()).isEqualTo("tokens");
			assertThat(oauth2.dynamicRegistration()).isTrue();
		});
		assertThat(server.mutate().auth((auth) -> auth.bearer("s3cr3t")).build().auth())
			.isEqualTo(McpServerAuth.bearer("s3cr3t"));
		assertThat(McpServerAuth.builder().type("mine").oauth2((oauth2) -> oauth2.clientId("me")).build().type())
			.isEqualTo("mine");
		assertThat(McpServerAuth.builder().build().type()).isEqualTo(McpServerAuth.NONE);
	}

	@Test
	void secretsAreNotShown() {
		McpServerAuth auth = McpServerAuth.builder()
			.type("mine")
			.oauth2((oauth2) -> oauth2.clientSecret("s3cr3t").privateKey("s3cr3t"))
			.build();
		assertThat(auth.toString() + auth.oauth2() + McpServerAuth.basic("me", "s3cr3t").basic()
				+ McpServerAuth.bearer("s3cr3t").bearer() + McpServerAuth.builder().bearer("s3cr3t"))
			.doesNotContain("s3cr3t");
	}

	@Test
	void twoWaysAreRefused() {
		assertRefused((auth) -> auth.bearer("s3cr3t").basic("me", "s3cr3t"), "bearer(..), basic(..)");
		assertRefused((auth) -> auth.oauth2((oauth2) -> oauth2.clientId("me")).bearer("s3cr3t"),
				"oauth2(..), bearer(..)");
		assertRefused((auth) -> auth.type("none").bearer("s3cr3t"), "bearer(..), type(\"none\")");
	}

	private static void assertRefused(Consumer<McpServerAuthBuilder> auth, String methods) {
		McpServerDefinitionBuilder server = McpServerDefinition.http("crm", URI.create("https://crm.example/mcp"));
		assertThatIllegalArgumentException().isThrownBy(() -> server.auth(auth))
			.withMessage("Requests are authorized in one way only. Remove all but one of " + methods + ".");
	}

}
