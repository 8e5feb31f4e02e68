package io.github.mcpclient.test;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

import io.github.mcpclient.test.server.McpTestServer;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.util.Assert;
import org.springframework.util.ReflectionUtils;

/**
 * The values of a {@link MockMcpServer}: part of the key of a cached context.
 *
 * @param name the name of the server
 * @param server the value of a static field, or {@code null}
 * @param script the classes that prepare the server of the context
 */
record MockServerDeclaration(String name, @Nullable McpTestServer server, List<Class<?>> script) {

	/**
	 * Return what a test class declares, with its superclasses, interfaces, and enclosing
	 * classes. The nearest comes last, and wins.
	 */
	static Collection<MockServerDeclaration> of(Class<?> testClass) {
		Map<String, MockServerDeclaration> declarations = new LinkedHashMap<>();
		collect(testClass, declarations);
		return List.copyOf(declarations.values());
	}

	private static void collect(Class<?> type, Map<String, MockServerDeclaration> declarations) {
		if (TestContextAnnotationUtils.searchEnclosingClass(type)) {
			collect(type.getEnclosingClass(), declarations);
		}
		if (type.getSuperclass() != null && type.getSuperclass() != Object.class) {
			collect(type.getSuperclass(), declarations);
		}
		for (Class<?> each : type.getInterfaces()) {
			collect(each, declarations);
		}
		MergedAnnotations.from(type, SearchStrategy.DIRECT)
			.stream(MockMcpServer.class)
			.map((annotation) -> of(annotation, annotation.getString("name"), null))
			.forEach((declaration) -> declarations.put(declaration.key(), declaration));
		for (Field field : type.getDeclaredFields()) {
			MergedAnnotation<MockMcpServer> annotation = MergedAnnotations.from(field).get(MockMcpServer.class);
			if (annotation.isPresent()) {
				MockServerDeclaration declaration = of(annotation, name(field), value(field));
				declarations.put(declaration.key(), declaration);
			}
		}
	}

	private static MockServerDeclaration of(MergedAnnotation<MockMcpServer> annotation, String name,
			@Nullable McpTestServer server) {
		Assert.state(!name.isEmpty(), "@MockMcpServer on a class needs the name of the server");
		return new MockServerDeclaration(name, server, List.of(annotation.getClassArray("script")));
	}

	private static @Nullable McpTestServer value(Field field) {
		Assert.state(field.getType() == McpTestServer.class,
				() -> "@MockMcpServer needs a field of type McpTestServer: " + field);
		if (!Modifier.isStatic(field.getModifiers())) {
			return null;
		}
		ReflectionUtils.makeAccessible(field);
		McpTestServer server = (McpTestServer) ReflectionUtils.getField(field, null);
		Assert.state(server != null, () -> "@MockMcpServer needs a static field that has a value: " + field);
		return server;
	}

	private static String name(Field field) {
		String name = MergedAnnotations.from(field).get(MockMcpServer.class).getString("name");
		return name.isEmpty() ? field.getName() : name;
	}

	/**
	 * Return the fields of a test that get the server of the context.
	 */
	static Map<Field, String> injectedFields(Class<?> testClass) {
		Map<Field, String> fields = new LinkedHashMap<>();
		ReflectionUtils.doWithFields(testClass, (field) -> fields.put(field, name(field)),
				(field) -> !Modifier.isStatic(field.getModifiers())
						&& MergedAnnotations.from(field).isPresent(MockMcpServer.class));
		return fields;
	}

	/**
	 * The server that is meant, new for each context unless it is that of a field.
	 */
	@SuppressWarnings("unchecked")
	McpTestServer toServer() {
		if (this.server != null) {
			return this.server;
		}
		McpTestServer created = McpTestServer.create();
		this.script.forEach((script) -> ((Consumer<McpTestServer>) BeanUtils.instantiateClass(script)).accept(created));
		return created;
	}

	String key() {
		return key(this.name);
	}

	/**
	 * What names have in common that are one server.
	 */
	static String key(String name) {
		return name.toLowerCase(Locale.ROOT).replaceAll("[-_.]", "");
	}

}
