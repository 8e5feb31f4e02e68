package io.github.mcpclient.internal.assembly;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import io.github.mcpclient.authorization.McpAuthorizationStatus;
import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.validation.McpServerDefinitions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.BeanFactory;

/**
 * Resolves authorizers by their type: built-in ones, and beans by their names.
 */
final class Authorizers {

	// the name of the bean for McpServerAuth.OAUTH2, which needs Spring Security's OAuth2
	// client
	private final BeanFactory beanFactory;

	private final Map<String, McpAuthorizer> known = new ConcurrentHashMap<>(
			Map.of(McpServerAuth.BEARER, Authorizers::bearer, McpServerAuth.BASIC, Authorizers::basic));

	/**
	 * Create an instance.
	 */
	Authorizers(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Return the authorizer of a type.
	 * @throws org.springframework.beans.BeansException if there is no such authorizer
	 */
	McpAuthorizer get(String type) {
		McpAuthorizer authorizer = this.known.get(type);
		if (authorizer == null) {
			String bean = type.equals(McpServerAuth.OAUTH2) ? McpServerDefinitions.OAUTH2_BEAN : type;
			authorizer = this.beanFactory.getBean(bean, McpAuthorizer.class);
			this.known.put(type, authorizer);
		}
		return authorizer;
	}

	/**
	 * Return the status of the authorization of requests to a server, without creating
	 * any authorizer for it.
	 */
	@Nullable McpAuthorizationStatus status(McpServerDefinition server) {
		McpAuthorizer authorizer = this.known.get(server.auth().type());
		return !HeaderSources.isAuthorized(server) ? null
				: (authorizer != null) ? authorizer.status(server) : McpAuthorizationStatus.of(server.auth().type());
	}

	private static Mono<Map<String, String>> bearer(McpHeadersRequest request) {
		return authorization("Bearer " + request.server().auth().bearer().token());
	}

	private static Mono<Map<String, String>> basic(McpHeadersRequest request) {
		McpServerAuth.Basic basic = request.server().auth().basic();
		String credentials = basic.username() + ":" + Objects.requireNonNullElse(basic.password(), "");
		return authorization(
				"Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
	}

	private static Mono<Map<String, String>> authorization(String value) {
		return Mono.just(Map.of("Authorization", value));
	}

}
