package io.github.mcpclient.integration.architecture;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.Architectures;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.management.McpServerManager;
import org.jspecify.annotations.NullMarked;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the packages keep to the shape they were designed in.
 */
@AnalyzeClasses(packages = "io.github.mcpclient",
		importOptions = { DoNotIncludeTests.class, ArchitectureTests.ThisModule.class })
class ArchitectureTests {

	private static final String ROOT = "io.github.mcpclient";

	// the packages that all may use, beside the root package
	private static final List<String> API = List.of("definition", "authorization", "handler", "management", "event",
			"spi");

	// the packages whose public types are for applications, as docs/architecture.md says
	static final Set<String> FOR_APPLICATIONS = Set.of("", ".definition", ".authorization", ".handler", ".management",
			".event", ".spi", ".client", ".audit", ".autoconfigure", ".actuate", ".observation", ".agent", ".guard",
			".declared", ".springai", ".langchain4j", ".service", ".auth.oauth2", ".console", ".console.servlet",
			".console.reactive", ".migration", ".reload");

	// the package of what Spring Boot binds, which the metadata of properties names
	private static final String BOUND = ".config";

	private static final int MOST_PUBLIC_TYPES = 80;

	private static final int MOST_TYPES_OF_THE_ROOT = 29;

	/**
	 * What is no {@link McpException}, and why.
	 */
	// @formatter:off
	private static final Map<String, String> OTHER_EXCEPTIONS = Map.of(
			"TransportException", "it is the SDK's; calls fail with an McpConnectionException, which has it as the cause",
			"LoginRequiredException", "it is a TransportException",
			"UnusableSettingsException", "it is a TransportException",
			"InvalidMcpConfigurationException", "the configuration is wrong, before there is a server");
	// @formatter:on

	/**
	 * What each package may use of ours, beside the API and what is shared, which all may
	 * use.
	 */
	// @formatter:off
	private static final Map<String, List<String>> MAY_USE = Map.ofEntries(
			Map.entry("definition", List.of()),
			Map.entry("authorization", List.of()),
			Map.entry("handler", List.of()),
			Map.entry("management", List.of()),
			Map.entry("event", List.of()),
			Map.entry("spi", List.of()),
			Map.entry("validation", List.of()),
			Map.entry("config", List.of("validation", "service")),
			Map.entry("mcpjson", List.of("config", "validation")),
			Map.entry("migration", List.of()),
			Map.entry("transport", List.of()),
			Map.entry("transport.http", List.of("transport")),
			Map.entry("httpclient", List.of("transport", "transport.http")),
			Map.entry("transport.stdio", List.of("transport")),
			Map.entry("schema", List.of()),
			Map.entry("session", List.of("transport")),
			Map.entry("connection", List.of("session", "transport")),
			Map.entry("naming", List.of()),
			Map.entry("tool", List.of("connection", "naming", "validation", "schema", "session")),
			Map.entry("internal.handler", List.of("schema", "session")),
			Map.entry("registry", List.of("connection", "tool", "validation")),
			Map.entry("service", List.of()),
			Map.entry("assembly", List.of("connection", "internal.handler", "registry", "validation", "schema", "session",
					"tool", "transport", "transport.http", "transport.stdio")),
			Map.entry("client", List.of("assembly", "registry", "validation")),
			Map.entry("auth.oauth2", List.of("config", "transport", "transport.http")),
			Map.entry("actuate", List.of("transport")),
			Map.entry("console", List.of("actuate", "declared", "schema", "transport")),
			Map.entry("console.servlet", List.of()), Map.entry("console.reactive", List.of()),
			Map.entry("observation", List.of("autoconfigure", "config", "connection", "session", "transport")),
			Map.entry("agent", List.of("model")), Map.entry("model", List.of()),
			Map.entry("audit", List.of()), Map.entry("guard", List.of()), Map.entry("declared", List.of()), Map.entry("springai", List.of("agent", "model")),
			Map.entry("langchain4j", List.of("agent", "model")),
			Map.entry("reload", List.of("autoconfigure", "config", "registry", "validation")),
			Map.entry("testcontainers", List.of("service")), Map.entry("compose", List.of("service")));
	// @formatter:on

	@ArchTest
	static final ArchRule packagesUseOnlyWhatTheyMay = packageTable();

	@ArchTest
	static final ArchRule packagesHaveNoCycles = SlicesRuleDefinition.slices()
		.assignedFrom(new PackageSlices())
		.should()
		.beFreeOfCycles()
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule theProtocolKnowsOneServerOnly = ArchRuleDefinition.noClasses()
		.that()
		.resideInAnyPackage(ROOT + ".internal.transport..", ROOT + ".internal.session..")
		.should()
		.dependOnClassesThat()
		.belongToAnyOf(McpServerRegistry.class, McpServerManager.class, McpToolCatalog.class, McpTool.class,
				McpToolInterceptor.class)
		.because("servers and their tools are the business of the modules above");

	@ArchTest
	static final ArchRule agentsAndGuardAreWrittenAsThoseOfOthers = ArchRuleDefinition.noClasses()
		.that()
		.resideInAnyPackage(ROOT + ".agent..", ROOT + ".guard..", ROOT + ".audit..", ROOT + ".declared..",
				ROOT + ".springai..", ROOT + ".langchain4j..", ROOT + ".internal.model..")
		.should()
		.dependOnClassesThat(JavaClass.Predicates.resideInAnyPackage(ROOT + ".internal..", ROOT + BOUND + "..")
			.and(DescribedPredicate.not(
					JavaClass.Predicates.resideInAnyPackage(ROOT + ".internal.support..", ROOT + ".internal.model.."))))
		.because("what they lack is lacking in the API and its SPI");

	@ArchTest
	void oneChainStandsAroundACall(JavaClasses classes) {
		assertThat(classes.stream()
			.filter((type) -> type.isAssignableTo(McpToolInterceptor.Chain.class)
					&& !type.isEquivalentTo(McpToolInterceptor.Chain.class)))
			.singleElement()
			.satisfies((chain) -> assertThat(chain.getFullName()).startsWith(ROOT + ".internal.tool.ToolChain"));
		assertThat(classes.stream()
			.flatMap((type) -> type.getMethods().stream())
			.filter((method) -> method.getRawReturnType().isEquivalentTo(Mono.class)
					&& method.getRawParameterTypes()
						.stream()
						.anyMatch((type) -> type.isEquivalentTo(McpToolRequest.class))
					&& method.getRawParameterTypes().stream().anyMatch((type) -> type.isEquivalentTo(Function.class)))
			.map(JavaMethod::getFullName)).as("what passes calls on, beside interceptors").isEmpty();
	}

	@ArchTest
	static final ArchRule packagesAreCheckedForNull = ArchRuleDefinition.classes()
		.that()
		.haveSimpleName("package-info")
		.should()
		.beAnnotatedWith(NullMarked.class)
		.because("the compiler checks marked packages only");

	@ArchTest
	static final ArchRule autoConfigurationShowsAutoConfigurationsOnly = ArchRuleDefinition.classes()
		.that()
		.resideInAPackage(ROOT + ".autoconfigure..")
		.and()
		.areTopLevelClasses()
		.and()
		.arePublic()
		.should()
		.beAnnotatedWith(AutoConfiguration.class);

	@ArchTest
	void autoConfigurationsAreOrderedByNameAcrossModulesOnly(JavaClasses classes) {
		assertThat(classes.stream().filter((type) -> type.isAnnotatedWith(AutoConfiguration.class)))
			.hasSizeGreaterThan(8)
			.allSatisfy((type) -> {
				AutoConfiguration order = type.getAnnotationOfType(AutoConfiguration.class);
				assertThat(Stream.of(order.afterName(), order.beforeName()).flatMap(Stream::of)).as(type.getFullName())
					.noneMatch((name) -> classes.contain(name) && module(classes.get(name)).equals(module(type)));
			});
	}

	// where its classes are
	private static String module(JavaClass type) {
		String uri = type.getSource().orElseThrow().getUri().toString();
		return uri.substring(0, uri.indexOf("io/github/mcpclient/"));
	}

	@ArchTest
	static final ArchRule beanMethodsAreNotPublic = ArchRuleDefinition.methods()
		.that()
		.areAnnotatedWith(Bean.class)
		.should()
		.notBePublic()
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule beanMethodsHaveFewParameters = ArchRuleDefinition.methods()
		.that()
		.areAnnotatedWith(Bean.class)
		.should(ArchConditions.have(DescribedPredicate.describe("at most five parameters",
				(method) -> method.getRawParameterTypes().size() <= 5)))
		.because("a configuration wires: what needs more is several things");

	@ArchTest
	void fewTypesArePublicOutsideTheApi(JavaClasses classes) {
		assertThat(classes.stream()
			.filter((type) -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
			.filter((type) -> !FOR_APPLICATIONS.contains(type.getPackageName().substring(ROOT.length())))
			.map(JavaClass::getName)).hasSizeLessThanOrEqualTo(MOST_PUBLIC_TYPES)
			.allSatisfy((name) -> assertThat(name).matches("\\Q" + ROOT + "\\E(\\.internal|\\" + BOUND + ")\\..*"));
	}

	@ArchTest
	void theRootPackageIsSmall(JavaClasses classes) {
		assertThat(classes.stream()
			.filter((type) -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
			.filter((type) -> type.getPackageName().equals(ROOT))
			.map(JavaClass::getSimpleName)).hasSizeBetween(20, MOST_TYPES_OF_THE_ROOT);
	}

	@ArchTest
	void exceptionsHaveOneRoot(JavaClasses classes) {
		assertThat(classes.stream()
			.filter((type) -> type.getSimpleName().endsWith("Exception"))
			.filter((type) -> type.getModifiers().contains(JavaModifier.PUBLIC))
			.filter((type) -> FOR_APPLICATIONS.contains(type.getPackageName().substring(ROOT.length())))
			.filter((type) -> !type.isAssignableTo(McpException.class))
			.map(JavaClass::getSimpleName)).containsExactlyInAnyOrderElementsOf(OTHER_EXCEPTIONS.keySet());
		assertThat(classes.stream().filter((type) -> type.isAssignableTo(McpException.class))).hasSizeGreaterThan(10);
	}

	@ArchTest
	static final ArchRule timeIsInjected = ArchRuleDefinition.noClasses()
		.that()
		.doNotHaveSimpleName("TimerScheduler")
		.should()
		.accessTargetWhere(
				DescribedPredicate.describe("it reads the system's time", ArchitectureTests::readsSystemTime))
		.because("a test sets the time, through a ClientScheduler");

	@ArchTest
	static final ArchRule sharedSchedulersAreTheApplications = ArchRuleDefinition.noClasses()
		.should()
		.accessTargetWhere(
				DescribedPredicate.describe("it uses a shared scheduler", ArchitectureTests::usesSharedScheduler))
		.because("what the application blocks there must hold up no connection, deadline or answer");

	@ArchTest
	static final ArchRule standardStreamsAreNotUsed = ArchRuleDefinition.noClasses()
		.that()
		.doNotHaveSimpleName("SpringAiMigration")
		.should(GeneralCodingRules.ACCESS_STANDARD_STREAMS)
		.because("they are the application's, but for a program for the command line");

	@ArchTest
	static final ArchRule javaUtilLoggingIsNotUsed = ArchRuleDefinition.noClasses()
		.should()
		.dependOnClassesThat()
		.resideInAPackage("java.util.logging..");

	@ArchTest
	static final ArchRule methodsAreNotSynchronized = ArchRuleDefinition.methods()
		.should()
		.notHaveModifier(JavaModifier.SYNCHRONIZED)
		.because("a virtual thread that waits in one keeps its carrier thread before Java 24");

	/**
	 * What is not for applications says so by its name, which the table has in full where
	 * a package for applications has the same.
	 */
	private static String packageOf(String name) {
		boolean internal = !FOR_APPLICATIONS.contains("." + name) && !BOUND.equals("." + name);
		return ROOT + ((internal && !name.startsWith("internal.")) ? ".internal." : ".") + name;
	}

	private static ArchRule packageTable() {
		LayeredArchitecture table = Architectures.layeredArchitecture()
			.consideringOnlyDependenciesInAnyPackage(ROOT + "..")
			.withOptionalLayers(true)
			.layer("root")
			.definedBy(ROOT)
			.layer("autoconfigure")
			.definedBy(ROOT + ".autoconfigure..")
			.layer("support")
			.definedBy(ROOT + ".internal.support..");
		for (String name : MAY_USE.keySet()) {
			// a package with rooms of its own in the table is not their roof
			boolean parent = MAY_USE.keySet().stream().anyMatch((other) -> other.startsWith(name + "."));
			table = table.layer(name).definedBy(packageOf(name) + (parent ? "" : ".."));
		}
		table = table.whereLayer("support").mayNotAccessAnyLayer();
		table = table.whereLayer("root").mayOnlyAccessLayers("authorization", "definition", "support");
		for (Map.Entry<String, List<String>> entry : MAY_USE.entrySet()) {
			List<String> allowed = new ArrayList<>(entry.getValue());
			allowed.add("support");
			allowed.add("definition");
			if (!API.contains(entry.getKey()) || Set.of("management", "event", "spi").contains(entry.getKey())) {
				allowed.add("root");
				allowed.addAll(API);
			}
			table = table.whereLayer(entry.getKey()).mayOnlyAccessLayers(allowed.toArray(String[]::new));
		}
		return table.ensureAllClassesAreContainedInArchitecture();
	}

	/**
	 * Reactor's operators that take a time but no scheduler run on a shared one.
	 */
	private static boolean usesSharedScheduler(JavaAccess<?> access) {
		JavaClass owner = access.getTargetOwner();
		if (owner.isEquivalentTo(Schedulers.class)) {
			return List.of("boundedElastic", "parallel", "single").contains(access.getName());
		}
		List<JavaClass> parameters = (access.getTarget() instanceof CodeUnitAccessTarget target)
				? target.getRawParameterTypes() : List.of();
		boolean timed = parameters.stream().anyMatch((parameter) -> parameter.isEquivalentTo(Duration.class))
				&& parameters.stream().noneMatch((parameter) -> parameter.isEquivalentTo(Scheduler.class));
		boolean ofReactor = owner.isAssignableTo(Mono.class) || owner.isAssignableTo(Flux.class)
				|| owner.isEquivalentTo(Retry.class);
		return (ofReactor && timed && !access.getName().startsWith("block"))
				|| (timed && "evictInBackground".equals(access.getName()));
	}

	private static boolean readsSystemTime(JavaAccess<?> access) {
		JavaClass owner = access.getTargetOwner();
		List<JavaClass> parameters = (access.getTarget() instanceof CodeUnitAccessTarget target)
				? target.getRawParameterTypes() : List.of();
		return switch (access.getName()) {
			case "currentTimeMillis", "nanoTime" -> owner.isEquivalentTo(System.class);
			case "sleep" -> owner.isEquivalentTo(Thread.class) || owner.isEquivalentTo(TimeUnit.class);
			case "now" -> "java.time".equals(owner.getPackageName())
					&& parameters.stream().noneMatch((parameter) -> parameter.isEquivalentTo(Clock.class));
			case JavaConstructor.CONSTRUCTOR_NAME -> owner.isEquivalentTo(Date.class) && parameters.isEmpty();
			default -> false;
		};
	}

	/**
	 * The packages right below the root, and those right below what is internal.
	 */
	static final class PackageSlices implements SliceAssignment {

		@Override
		public SliceIdentifier getIdentifierOf(JavaClass type) {
			String name = type.getPackageName()
				.replaceFirst("^" + ROOT, "")
				.replaceFirst("^\\.internal\\.", ".internal-");
			return !name.startsWith(".") ? SliceIdentifier.ignore() : SliceIdentifier.of(name.split("\\.")[1]);
		}

		@Override
		public String getDescription() {
			return "packages";
		}

	}

	static final class ThisModule implements ImportOption {

		@Override
		public boolean includes(Location location) {
			return !location.contains("/mcp-test-server") && !location.contains("/fixtures");
		}

	}

}
