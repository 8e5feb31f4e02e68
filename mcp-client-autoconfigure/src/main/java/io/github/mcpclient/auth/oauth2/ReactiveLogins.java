package io.github.mcpclient.auth.oauth2;

import org.jspecify.annotations.Nullable;

import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.ReactiveOAuth2AuthorizedClientService;

/**
 * The logins of a reactive application, for threads that may block.
 *
 * @param service where Spring Security stores them
 */
public record ReactiveLogins(ReactiveOAuth2AuthorizedClientService service) implements OAuth2AuthorizedClientService {

	@Override
	@SuppressWarnings("unchecked")
	public <T extends OAuth2AuthorizedClient> @Nullable T loadAuthorizedClient(String registrationId, String name) {
		return (T) this.service.loadAuthorizedClient(registrationId, name).block();
	}

	@Override
	public void saveAuthorizedClient(OAuth2AuthorizedClient client, Authentication principal) {
		this.service.saveAuthorizedClient(client, principal).block();
	}

	@Override
	public void removeAuthorizedClient(String registrationId, String name) {
		this.service.removeAuthorizedClient(registrationId, name).block();
	}

}
