package io.github.mcpclient.smoke.oauth2;

import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.ai.mcp.server.webmvc.transport.WebMvcStreamableServerTransportProvider;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * An MCP server on Spring MVC that Spring Security's resource server protects. Its tool
 * {@code whoami} says whose token a call had. It takes no token that is of another
 * authorization server, for another audience, expired or revoked.
 */
final class ProtectedServer implements AutoCloseable {

	private static ProtectedServer shared;

	private final AuthorizationServer authorizationServer;

	private final Set<String> revoked = ConcurrentHashMap.newKeySet();

	private final List<Request> requests = new CopyOnWriteArrayList<>();

	private final Set<String> tokens = Collections.synchronizedSet(new LinkedHashSet<>());

	private final List<Call> calls = new CopyOnWriteArrayList<>();

	private final ConfigurableApplicationContext context;

	private volatile JwtDecoder decoder;

	ProtectedServer(AuthorizationServer authorizationServer) {
		this.authorizationServer = authorizationServer;
		ApplicationContextInitializer<GenericApplicationContext> self = (context) -> context
			.registerBean(ProtectedServer.class, () -> this);
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.initializers(self)
			.properties("server.port=0")
			.run();
		forgetKeys();
	}

	/**
	 * One for all test classes, which ends with the JVM: it and its authorization server
	 * are applications, which take long to start.
	 */
	static ProtectedServer shared() {
		if (shared == null) {
			shared = new ProtectedServer(new AuthorizationServer());
		}
		return shared;
	}

	AuthorizationServer authorizationServer() {
		return this.authorizationServer;
	}

	String origin() {
		return "http://localhost:" + this.context.getEnvironment().getRequiredProperty("local.server.port");
	}

	String url() {
		return origin() + "/mcp";
	}

	/**
	 * All requests, those refused included.
	 */
	List<Request> requests() {
		return this.requests;
	}

	/**
	 * The tokens of all requests, without repetitions.
	 */
	Set<String> tokens() {
		synchronized (this.tokens) {
			return new LinkedHashSet<>(this.tokens);
		}
	}

	List<Call> calls() {
		return this.calls;
	}

	/**
	 * Refuse that token from now on.
	 */
	void revoke(String token) {
		this.revoked.add(token);
	}

	/**
	 * Ask the authorization server for its keys again.
	 */
	void forgetKeys() {
		NimbusJwtDecoder decoder = NimbusJwtDecoder.withJwkSetUri(this.authorizationServer.issuer() + "/oauth2/jwks")
			.build();
		// Spring Security's challenge points to metadata whose resource is the origin
		OAuth2TokenValidator<Jwt> audience = (
				jwt) -> (jwt.getAudience() != null && List.of(url(), origin()).containsAll(jwt.getAudience()))
						? OAuth2TokenValidatorResult.success()
						: OAuth2TokenValidatorResult.failure(new OAuth2Error("invalid_token", "Wrong audience", null));
		decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(new JwtTimestampValidator(Duration.ZERO),
				new JwtIssuerValidator(this.authorizationServer.issuer()), audience));
		this.decoder = decoder;
	}

	/**
	 * Forget what was recorded.
	 */
	void clear() {
		this.requests.clear();
		this.tokens.clear();
		this.calls.clear();
	}

	@Override
	public void close() {
		this.context.close();
	}

	private Jwt decode(String token) {
		if (this.revoked.contains(token)) {
			throw new BadJwtException("Revoked");
		}
		return this.decoder.decode(token);
	}

	/**
	 * Before the client has the response: what is recorded is complete when it has.
	 */
	private void record(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
		String token = (authorization != null) ? authorization.replaceFirst("^(Bearer|DPoP) ", "") : null;
		if (token != null) {
			this.tokens.add(token);
		}
		this.requests.add(new Request(request.getMethod(), token, request.getHeader("Mcp-Session-Id")));
		chain.doFilter(request, response);
	}

	private McpSchema.CallToolResult whoami(McpTransportContext context) {
		JwtAuthenticationToken authentication = (JwtAuthenticationToken) context.get("principal");
		this.calls.add(new Call(authentication.getName(), authentication.getToken().getTokenValue()));
		return McpSchema.CallToolResult.builder().addTextContent(authentication.getName()).build();
	}

	/**
	 * A request to the server.
	 */
	record Request(String method, String token, String session) {

	}

	/**
	 * A call of the tool.
	 */
	record Call(String user, String token) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(OwnEventLoops.class)
	static class Application {

		@Bean
		WebMvcStreamableServerTransportProvider transport() {
			return WebMvcStreamableServerTransportProvider.builder().mcpEndpoint("/mcp").contextExtractor((request) -> {
				Principal principal = request.servletRequest().getUserPrincipal();
				return (principal != null) ? McpTransportContext.create(Map.of("principal", principal))
						: McpTransportContext.EMPTY;
			}).build();
		}

		@Bean
		RouterFunction<ServerResponse> routes(WebMvcStreamableServerTransportProvider transport) {
			return transport.getRouterFunction();
		}

		@Bean(destroyMethod = "close")
		McpSyncServer mcpServer(WebMvcStreamableServerTransportProvider transport, ProtectedServer server) {
			return McpServer.sync(transport)
				.serverInfo("protected", "1.0")
				.capabilities(McpSchema.ServerCapabilities.builder().tools(false).build())
				.toolCall(McpSchema.Tool.builder("whoami", Map.of("type", "object")).build(),
						(exchange, request) -> server.whoami(exchange.transportContext()))
				.build();
		}

		@Bean
		JwtDecoder jwtDecoder(ProtectedServer server) {
			return server::decode;
		}

		@Bean
		SecurityFilterChain security(HttpSecurity http, ProtectedServer server) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.oauth2ResourceServer((resourceServer) -> resourceServer.jwt((jwt) -> {
				})
					.dPoP(Customizer.withDefaults())
					.protectedResourceMetadata((metadata) -> metadata.protectedResourceMetadataCustomizer(
							(builder) -> builder.authorizationServer(server.authorizationServer.issuer()))))
				.sessionManagement((sessions) -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
				.csrf(AbstractHttpConfigurer::disable)
				.build();
		}

		@Bean
		FilterRegistrationBean<Filter> recorder(ProtectedServer server) {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(
					WholeLog.ofServer((request, response, chain) -> server.record((HttpServletRequest) request,
							(HttpServletResponse) response, chain)));
			registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
			registration.setAsyncSupported(true);
			return registration;
		}

	}

}
