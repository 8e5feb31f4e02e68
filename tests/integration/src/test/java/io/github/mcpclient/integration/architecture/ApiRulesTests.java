package io.github.mcpclient.integration.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerFeatures;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.actuate.McpEndpoint;
import io.github.mcpclient.agent.McpModelTools;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.observation.McpClientObservationContext;
import io.github.mcpclient.observation.McpHandlerObservationContext;
import io.github.mcpclient.service.McpServerConnectionDetails;
import io.github.mcpclient.testsupport.ProjectFiles;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the API keeps to the rules that the documentation of its root package has.
 */
@AnalyzeClasses(packages = "io.github.mcpclient",
		importOptions = { DoNotIncludeTests.class, ArchitectureTests.ThisModule.class })
class ApiRulesTests {

	private static final String ROOT = "io.github.mcpclient";

	// what users implement and the client calls
	private static final Set<String> SPI = Set.of(".spi", ".handler", ".authorization");

	// in the manner of what they extend, of Spring Boot and of Micrometer
	private static final Set<Class<?>> STYLE_OF_OTHERS = Set.of(McpServerConnectionDetails.class,
			McpClientObservationContext.class, McpHandlerObservationContext.class);

	@ArchTest
	void valuesHaveAccessorsAsRecordsHaveThem(JavaClasses classes) {
		assertThat(getters(classes).filter((method) -> !isException(method))
			.filter((method) -> STYLE_OF_OTHERS.stream().noneMatch(method.getOwner()::isEquivalentTo))
			.map(ApiRulesTests::name)).as("isError is the word of the protocol")
			.containsExactly(McpToolResult.class.getName() + ".isError");
	}

	@ArchTest
	void exceptionsHaveGetters(JavaClasses classes) {
		assertThat(getters(classes).filter(ApiRulesTests::isException)).hasSizeGreaterThan(10);
		assertThat(methods(classes).filter(ApiRulesTests::isException)
			.filter((method) -> method.getRawParameterTypes().isEmpty()
					&& !method.getModifiers().contains(JavaModifier.STATIC))
			.filter((method) -> !isGetter(method) && !method.getRawReturnType().equals(method.getOwner()))
			.map(ApiRulesTests::name)).isEmpty();
	}

	private static Stream<JavaMethod> getters(JavaClasses classes) {
		return methods(classes).filter(ApiRulesTests::isGetter).filter((method) -> !overrides(method));
	}

	private static boolean isGetter(JavaMethod method) {
		return method.getRawParameterTypes().isEmpty() && method.getName().matches("(get|is)[A-Z].*");
	}

	private static boolean isException(JavaMethod method) {
		return method.getOwner().getSimpleName().endsWith("Exception");
	}

	@ArchTest
	void whatReturnsAPublisherHasASiblingThatWaits(JavaClasses classes) {
		List<JavaMethod> publishers = methods(classes)
			.filter((method) -> Publisher.class.isAssignableFrom(method.getRawReturnType().reflect()))
			.filter((method) -> !SPI.contains(packageOf(method.getOwner())) && !overrides(method))
			// its operations are called by Actuator only
			.filter((method) -> !method.getOwner().isEquivalentTo(McpEndpoint.class))
			.toList();
		assertThat(publishers).hasSizeGreaterThan(20);
		assertThat(publishers.stream().filter((method) -> !hasWaitingSibling(method)).map(ApiRulesTests::name))
			.as("what users implement, and what interceptors call")
			.containsExactlyInAnyOrder(McpToolApproval.class.getName() + ".decide",
					McpToolInterceptor.Chain.class.getName() + ".blocking",
					McpToolInterceptor.Chain.class.getName() + ".identity");
	}

	private static boolean hasWaitingSibling(JavaMethod method) {
		String waiting = method.getName().replaceFirst("Async$", "");
		return !waiting.equals(method.getName()) && method.getOwner()
			.getMethods()
			.stream()
			.anyMatch((other) -> other.getName().equals(waiting)
					&& other.getRawParameterTypes().equals(method.getRawParameterTypes())
					&& !Publisher.class.isAssignableFrom(other.getRawReturnType().reflect()));
	}

	@ArchTest
	void defaultMethodsDoNotThrow(JavaClasses classes) {
		assertThat(methods(classes)
			.filter((method) -> method.getOwner().isInterface()
					&& !method.getModifiers().contains(JavaModifier.ABSTRACT)
					&& !method.getModifiers().contains(JavaModifier.STATIC))
			.filter((method) -> !method.getOwner().reflect().isSealed())
			.filter((method) -> method.getConstructorCallsFromSelf()
				.stream()
				.anyMatch((call) -> Throwable.class.isAssignableFrom(call.getTargetOwner().reflect())))
			.map(ApiRulesTests::name)).as("says that an interceptor has returned nothing")
			.containsExactly(McpToolInterceptor.Async.class.getName() + ".intercept");
	}

	@ParameterizedTest
	@ValueSource(classes = { McpServer.class, McpTool.class, McpToolCatalog.class, McpServerRegistry.class,
			McpServerStatus.class, McpServerFeatures.class, McpServerManager.class, ManagedMcpServer.class,
			McpToolInterceptor.Chain.class, McpModelTools.class, McpToolExecutor.class })
	void whatTheClientImplementsSaysSo(Class<?> type) throws IOException {
		String module = type.getPackageName().endsWith(".agent") ? "mcp-client-agents" : "mcp-client-api";
		Class<?> outer = (type.getEnclosingClass() != null) ? type.getEnclosingClass() : type;
		String source = Files
			.readString(ProjectFiles.of(module + "/src/main/java/" + outer.getName().replace('.', '/') + ".java"))
			.replaceAll("\\s*\\n\\s*\\*?\\s*", " ");
		assertThat(source.substring(0, source.indexOf("interface " + type.getSimpleName() + " ")))
			.as("its documentation")
			.contains(
					"Not intended to be implemented by applications, as later versions may add methods. In tests, mock "
							+ "it, or use the scripted server of {@code mcp-client-test}.");
	}

	private static Stream<JavaMethod> methods(JavaClasses classes) {
		return classes.stream()
			.filter((type) -> ArchitectureTests.FOR_APPLICATIONS.contains(packageOf(type)) && isPublic(type))
			.flatMap((type) -> type.getMethods().stream())
			.filter((method) -> method.getModifiers().contains(JavaModifier.PUBLIC)
					&& !method.getModifiers().contains(JavaModifier.SYNTHETIC));
	}

	private static boolean isPublic(JavaClass type) {
		return type.getModifiers().contains(JavaModifier.PUBLIC)
				&& type.getEnclosingClass().map(ApiRulesTests::isPublic).orElse(true);
	}

	// what it is called is the choice of another type then
	private static boolean overrides(JavaMethod method) {
		Class<?> owner = method.getOwner().reflect();
		return Stream.concat(Stream.ofNullable(owner.getSuperclass()), Stream.of(owner.getInterfaces()))
			.flatMap((type) -> Stream.of(type.getMethods()))
			.anyMatch((other) -> other.getName().equals(method.getName())
					&& other.getParameterCount() == method.getRawParameterTypes().size());
	}

	private static String packageOf(JavaClass type) {
		return type.getPackageName().substring(ROOT.length());
	}

	private static String name(JavaMethod method) {
		return method.getOwner().getName() + "." + method.getName();
	}

}
