package io.github.mcpclient.auth.oauth2;

import java.util.Map;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Serves the metadata document of the client where a server's
 * {@code auth.oauth2.client-metadata-uri} ends with {@value #PATH}.
 *
 * @param authorizer the authorizer of the servers
 */
@RestController
record ClientMetadataController(OAuth2Authorizer authorizer) {

	static final String PATH = "/mcp-client.json";

	@GetMapping(path = PATH, produces = "application/json")
	ResponseEntity<Map<String, Object>> metadata() {
		return ResponseEntity.ofNullable(this.authorizer.clientMetadata(PATH));
	}

}
