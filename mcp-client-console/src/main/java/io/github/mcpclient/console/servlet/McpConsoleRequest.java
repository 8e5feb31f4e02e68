package io.github.mcpclient.console.servlet;

import java.util.Objects;
import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.security.web.servlet.ApplicationContextRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.context.WebApplicationContext;

/**
 * Factory that can be used to create a {@link RequestMatcher} for the console, as Spring
 * Boot's {@code EndpointRequest} is for Actuator endpoints.
 */
public final class McpConsoleRequest {

	private static final String PATH = "/mcp-console";

	private McpConsoleRequest() {
	}

	/**
	 * Return a matcher that includes the page of the console and everything beneath it,
	 * on any port, with any context path. For example: <pre class="code">
	 * http.securityMatcher(McpConsoleRequest.toConsole())
	 * </pre>
	 * @return the matcher, which is safe for use by many threads
	 */
	public static RequestMatcher toConsole() {
		return new ConsoleRequestMatcher();
	}

	private static final class ConsoleRequestMatcher extends ApplicationContextRequestMatcher<WebApplicationContext> {

		ConsoleRequestMatcher() {
			super(WebApplicationContext.class);
		}

		@Override
		protected boolean ignoreApplicationContext(WebApplicationContext context) {
			return ManagementPortType.get(context.getEnvironment()) == ManagementPortType.DIFFERENT
					&& !hasServerNamespace(context, WebServerNamespace.MANAGEMENT.getValue());
		}

		// as the container has decoded the path, and finds the servlet by it
		@Override
		protected boolean matches(HttpServletRequest request, Supplier<WebApplicationContext> context) {
			String path = request.getServletPath() + Objects.requireNonNullElse(request.getPathInfo(), "");
			return path.equals(PATH) || path.startsWith(PATH + "/");
		}

		@Override
		public String toString() {
			return "McpConsoleRequest.toConsole()";
		}

	}

}
