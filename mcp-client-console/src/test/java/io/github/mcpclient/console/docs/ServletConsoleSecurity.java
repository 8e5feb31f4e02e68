package io.github.mcpclient.console.docs;

import io.github.mcpclient.console.servlet.McpConsoleRequest;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/**
 * The security of docs/console.md for servlet applications.
 */
@Configuration(proxyBeanMethods = false)
public class ServletConsoleSecurity {

	@Bean
	@Order(1)
	SecurityFilterChain consoleSecurity(HttpSecurity http) {
		return http.securityMatcher(McpConsoleRequest.toConsole())
			.authorizeHttpRequests((requests) -> requests.anyRequest().hasRole("OPERATOR"))
			.httpBasic(Customizer.withDefaults())
			.build();
	}

}
