package io.github.mcpclient.auth.oauth2;

import java.io.IOException;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.Ordered;

/**
 * Responds before Spring Security's filters if a user cannot log in for an MCP server
 * yet: the filters would block the request, and log an error.
 *
 * @param logins the logins of users
 */
record LoginPageFilter(UserLogins logins) implements Filter, Ordered {

	@Override
	public int getOrder() {
		return UserLogins.FILTER_ORDER;
	}

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		if (request instanceof HttpServletRequest http && response instanceof HttpServletResponse answer) {
			String path = http.getServletPath() + ((http.getPathInfo() != null) ? http.getPathInfo() : "");
			if (Boolean.FALSE.equals(this.logins.isReady(path, http.getQueryString()).block())) {
				answer.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
				UserLogins.NOT_READY.forEach((name, values) -> answer.setHeader(name, values.get(0)));
				answer.getWriter().write(UserLogins.NOT_READY_PAGE);
				return;
			}
		}
		chain.doFilter(request, response);
	}

}
