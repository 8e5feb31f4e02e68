package io.github.mcpclient.auth.oauth2;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.auth.oauth2.OAuth2Authorizer.Server;
import io.github.mcpclient.authorization.McpAuthorizationChallenge;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.transport.HeaderSources.Proofs;
import io.github.mcpclient.internal.transport.HeaderSources.UserAuthorizer;
import io.github.mcpclient.management.McpDiagnosis.Outcome;
import io.github.mcpclient.management.McpDiagnosis.Step;
import io.github.mcpclient.spi.TransportException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Authorizes a check of a server: with the current token, or with a token that a known
 * client obtains for itself. The check starts no login, registers no client, and does not
 * replace a token that the server rejects.
 *
 * @param servers the state of each server
 * @param clients the HTTP clients for authorization servers
 * @param threads the threads that wait for them
 * @param steps receives the step of the metadata
 */
record OAuth2Check(Function<McpServerDefinition, Server> servers, AuthorizationClients clients, ClientThreads threads,
		Consumer<Step> steps) implements UserAuthorizer {

	@Override
	public Mono<User> user(McpServerDefinition definition) {
		return Mono.empty();
	}

	@Override
	public @Nullable Proofs proofs(McpServerDefinition definition) {
		return this.servers.apply(definition).dpop();
	}

	@Override
	public Mono<Map<String, String>> authorize(McpHeadersRequest request) {
		return Mono.defer(() -> {
			Server server = this.servers.apply(request.server());
			Tokens tokens = server.ofApplication();
			if (tokens == null) {
				return Mono.empty();
			}
			return server.isKnownClient() ? tokens.get() : tokens.kept();
		});
	}

	@Override
	public Mono<Map<String, String>> reauthorize(McpHeadersRequest request, McpAuthorizationChallenge challenge) {
		return Mono.defer(() -> {
			Server server = this.servers.apply(request.server());
			return metadata(server, challenge).doOnNext(this.steps)
				.then(Mono.defer(() -> other(server, request.server(), challenge)));
		});
	}

	private static Mono<Map<String, String>> other(Server server, McpServerDefinition definition,
			McpAuthorizationChallenge challenge) {
		Tokens tokens = server.ofApplication();
		if (tokens == null) {
			return Mono.error(OAuth2Authorizer.loginRequired(definition));
		}
		if (server.settings().interactive()) {
			return Mono.error(BrowserLogin.needed(new Failures(definition)));
		}
		return (server.isKnownClient() && challenge.rejectedHeaders().isEmpty()) ? tokens.renew(challenge)
				: Mono.empty();
	}

	private Mono<Step> metadata(Server server, McpAuthorizationChallenge challenge) {
		AuthorizationHttp http = new AuthorizationHttp(server.definition(), this.clients, (kind, detail) -> {
		});
		return this.threads.authorization()
			.call(AuthorizationHttp.origin(http.server()), () -> read(server, http, challenge))
			.onErrorResume(TransportException.class, (failure) -> Mono.just(new Step(StepKind.AUTHORIZATION_METADATA,
					Outcome.FAILED, Duration.ZERO, failure.getMessage(), failure.getNextStep())));
	}

	private static Step read(Server server, AuthorizationHttp http, McpAuthorizationChallenge challenge) {
		String issuer = server.settings().issuerUri();
		if (issuer == null && server.settings().tokenUri() != null) {
			return Step.skipped(StepKind.AUTHORIZATION_METADATA, "token-uri is set");
		}
		Discovery discovery = new Discovery(http);
		if (issuer == null) {
			Map<String, Object> resource = discovery.resource(ClientResolver.configuredResource(server.settings()),
					BearerChallenge.parse(challenge.wwwAuthenticate()));
			issuer = AuthorizationServer.list(resource, "authorization_servers").get(0);
		}
		discovery.authorizationServer(issuer);
		return Step.passed(StepKind.AUTHORIZATION_METADATA, Duration.ZERO,
				"The server trusts " + http.failures().url(issuer) + ", which has metadata");
	}

}
