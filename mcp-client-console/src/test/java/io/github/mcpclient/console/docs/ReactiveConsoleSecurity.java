package io.github.mcpclient.console.docs;

import io.github.mcpclient.console.reactive.McpConsoleRequest;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;

/**
 * The security of docs/console.md for reactive applications.
 */
@Configuration(proxyBeanMethods = false)
public class ReactiveConsoleSecurity {

	@Bean
	@Order(1)
	SecurityWebFilterChain consoleSecurity(ServerHttpSecurity http) {
		return http.securityMatcher(McpConsoleRequest.toConsole())
			.authorizeExchange((exchanges) -> exchanges.anyExchange().hasRole("OPERATOR"))
			.httpBasic(Customizer.withDefaults())
			.build();
	}

}
