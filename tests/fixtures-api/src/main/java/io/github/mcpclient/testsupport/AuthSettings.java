package io.github.mcpclient.testsupport;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerAuthBuilder;

import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.util.ReflectionUtils;

/**
 * Authorization by the names of its properties, for tests with tables of settings.
 */
public final class AuthSettings {

	private static final String OAUTH2 = "oauth2.";

	private AuthSettings() {
	}

	/**
	 * Build an authorization.
	 * @param settings values by the names that they have below
	 * {@code mcp.servers.<name>.auth}, such as {@code oauth2.issuer-uri}
	 */
	public static McpServerAuth of(Map<String, String> settings) {
		McpServerAuthBuilder auth = McpServerAuth.builder();
		Map<String, String> oauth2 = new TreeMap<>();
		settings.forEach((name, value) -> {
			if (name.startsWith(OAUTH2)) {
				oauth2.put(name.substring(OAUTH2.length()), value);
			}
			else {
				set(auth, name, value);
			}
		});
		return (oauth2.isEmpty() ? auth
				: auth.oauth2((builder) -> oauth2.forEach((name, value) -> set(builder, name, value))))
			.build();
	}

	private static void set(Object builder, String name, String value) {
		Method setter = Stream.of(builder.getClass().getMethods())
			.filter((method) -> method.getName().equalsIgnoreCase(name.replace("-", "")))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("No setting " + name));
		Class<?> type = setter.getParameterTypes()[0];
		ReflectionUtils.invokeMethod(setter, builder, (type == Path.class) ? Path.of(value)
				: ApplicationConversionService.getSharedInstance().convert(value, type));
	}

}
