package io.github.mcpclient.auth.oauth2;

import reactor.core.publisher.Mono;

import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.ReactiveOAuth2AuthorizedClientService;

/**
 * The logins of a servlet application. Each access blocks the thread that subscribes.
 *
 * @param service where Spring Security stores them
 */
record BlockingLogins(OAuth2AuthorizedClientService service) implements ReactiveOAuth2AuthorizedClientService {

	@Override
	public <T extends OAuth2AuthorizedClient> Mono<T> loadAuthorizedClient(String registrationId, String name) {
		return Mono.fromSupplier(() -> this.service.loadAuthorizedClient(registrationId, name));
	}

	@Override
	public Mono<Void> saveAuthorizedClient(OAuth2AuthorizedClient client, Authentication principal) {
		return Mono.fromRunnable(() -> this.service.saveAuthorizedClient(client, principal));
	}

	@Override
	public Mono<Void> removeAuthorizedClient(String registrationId, String name) {
		return Mono.fromRunnable(() -> this.service.removeAuthorizedClient(registrationId, name));
	}

}
