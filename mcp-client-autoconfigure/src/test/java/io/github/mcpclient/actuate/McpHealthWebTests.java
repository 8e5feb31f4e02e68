package io.github.mcpclient.actuate;

import java.util.stream.Stream;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.http.HttpStatus;
import org.springframework.test.json.JsonCompareMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what {@link McpHealthContributor} does to the answers of Spring Boot's health
 * endpoint.
 */
@ParameterizedClass
@EnumSource(names = { "SERVLET", "REACTIVE" })
class McpHealthWebTests {

	private static final McpServerStatus UNAVAILABLE = FakeMcpServerRegistry.status("down", McpServerState.UNAVAILABLE,
			false);

	private static final McpServerStatus READY = FakeMcpServerRegistry.status("ready", McpServerState.READY, true);

	private static final McpServerStatus REQUIRED = FakeMcpServerRegistry.status("needed", McpServerState.UNAVAILABLE,
			true);

	private static final FakeMcpServerRegistry registry = new FakeMcpServerRegistry();

	private static ActuatorApplication application;

	@Parameter
	private WebApplicationType type;

	@BeforeParameterizedClassInvocation
	static void start(WebApplicationType type) {
		registry.reset(UNAVAILABLE);
		application = run(type, "management.endpoint.health.group.servers.include=mcp",
				"management.endpoint.health.group.one.include=mcp/down",
				"management.endpoint.health.group.traffic.include=readinessState,mcp",
				"management.endpoint.health.group.terse.include=mcp",
				"management.endpoint.health.group.terse.show-details=never",
				"management.endpoint.health.group.terse.show-components=always");
	}

	@AfterParameterizedClassInvocation
	static void stop() {
		application.close();
	}

	@BeforeEach
	void reset() {
		registry.reset();
	}

	@Test
	void anOptionalServerThatIsTheOnlyOneDoesNoHarm() {
		registry.reset(UNAVAILABLE);
		application.get("/health").expectStatus().isOk().expectBody().json("""
				{"status": "UP", "components": {
				  "ping": {"status": "UP"},
				  "mcp": {"status": "UNKNOWN", "components": {"down": {"status": "UNAVAILABLE", "details": {
				    "state": "UNAVAILABLE", "target": "http://localhost:9999/mcp",
				    "error": "Connection refused: localhost:9999", "nextRetry": "2026-11-21T10:00:08.123Z"}}}}}}
				""", JsonCompareMode.LENIENT);
		assertStatus("/health/mcp", HttpStatus.OK, "UNKNOWN");
		assertStatus("/health/mcp/down", HttpStatus.OK, "UNAVAILABLE");
		application.get("/health/mcp/nobody").expectStatus().isNotFound();
		assertThat(registry.contacts).isEmpty();
	}

	@Test
	void anOptionalServerDoesNoHarmWhereNothingElseContributes() {
		registry.reset(UNAVAILABLE);
		ActuatorApplication alone = run(this.type, "management.health.defaults.enabled=false",
				"management.health.mcp.enabled=true", "management.endpoint.health.probes.enabled=false");
		alone.get("/health").expectStatus().isOk().expectBody().json("""
				{"status": "UNKNOWN", "components": {"mcp": {"status": "UNKNOWN", "components": {
				 "down": {"status": "UNAVAILABLE"}}}}}
				""", JsonCompareMode.LENIENT).jsonPath("$.components.length()").isEqualTo(1);
	}

	@Test
	void anOptionalServerDoesNoHarmInAGroupOfItsOwn() {
		registry.reset(UNAVAILABLE);
		application.get("/health/servers").expectStatus().isOk().expectBody().json("""
				{"status": "UNKNOWN", "components": {"mcp": {"status": "UNKNOWN", "components": {
				 "down": {"status": "UNAVAILABLE", "details": {"state": "UNAVAILABLE"}}}}}}
				""", JsonCompareMode.LENIENT);
		assertStatus("/health/one", HttpStatus.OK, "UNKNOWN");
		assertStatus("/health/traffic", HttpStatus.OK, "UP");
	}

	@Test
	void aServerThatIsReadyLiftsAGroupOfItsOwn() {
		registry.reset(READY, UNAVAILABLE);
		application.get("/health/servers").expectStatus().isOk().expectBody().json("""
				{"status": "UP", "components": {"mcp": {"status": "UP", "components": {
				 "ready": {"status": "UP"}, "down": {"status": "UNAVAILABLE"}}}}}
				""", JsonCompareMode.LENIENT);
	}

	@Test
	void aRequiredServerTakesHealthDownButNotTheProbes() {
		registry.reset(READY, UNAVAILABLE, REQUIRED);
		application.get("/health").expectStatus().isEqualTo(HttpStatus.SERVICE_UNAVAILABLE).expectBody().json("""
				{"status": "DOWN", "components": {"mcp": {"status": "DOWN", "components": {
				 "ready": {"status": "UP"}, "down": {"status": "UNAVAILABLE"}, "needed": {"status": "DOWN"}}}}}
				""", JsonCompareMode.LENIENT);
		assertStatus("/health/liveness", HttpStatus.OK, "UP");
		assertStatus("/health/readiness", HttpStatus.OK, "UP");
		assertStatus("/health/traffic", HttpStatus.SERVICE_UNAVAILABLE, "DOWN");
	}

	@Test
	void followsServersThatChangeAndComeAndGo() {
		registry.reset(UNAVAILABLE);
		assertStatus("/health/mcp", HttpStatus.OK, "UNKNOWN");
		registry.set(FakeMcpServerRegistry.status("down", McpServerState.READY, false));
		registry.set(FakeMcpServerRegistry.status("late", McpServerState.IDLE, false));
		application.get("/health/mcp").expectStatus().isOk().expectBody().json("""
				{"status": "UP", "components": {"down": {"status": "UP"}, "late": {"status": "UNKNOWN"}}}
				""", JsonCompareMode.LENIENT);
		registry.forget("down");
		application.get("/health/mcp/down").expectStatus().isNotFound();
		assertThat(registry.contacts).isEmpty();
	}

	@Test
	void isSilentWithoutServers() {
		application.get("/health").expectStatus().isOk().expectBody().jsonPath("$.components.mcp").doesNotExist();
	}

	@Test
	void showsNoDetailsWhereNoneAreToBeShown() {
		registry.reset(UNAVAILABLE);
		application.get("/health/terse").expectStatus().isOk().expectBody().json("""
				{"status": "UNKNOWN", "components": {"mcp": {"status": "UNKNOWN", "components": {
				 "down": {"status": "UNAVAILABLE"}}}}}
				""", JsonCompareMode.STRICT);
	}

	@Test
	void canBeGivenWeightByTheOrderAndMappingOfTheApplication() {
		registry.reset(READY, UNAVAILABLE);
		ActuatorApplication weighted = run(this.type, "management.endpoint.health.status.order=down,unavailable,up",
				"management.endpoint.health.status.http-mapping.unavailable=503");
		weighted.get("/health").expectStatus().isEqualTo(HttpStatus.SERVICE_UNAVAILABLE).expectBody().json("""
				{"status": "UNAVAILABLE", "components": {"mcp": {"status": "UNAVAILABLE"}}}
				""", JsonCompareMode.LENIENT);
	}

	private static ActuatorApplication run(WebApplicationType type, String... properties) {
		return ActuatorApplication.run(type, registry,
				Stream.concat(Stream.of("management.endpoint.health.show-details=always"), Stream.of(properties))
					.toArray(String[]::new));
	}

	private static void assertStatus(String path, HttpStatus httpStatus, String status) {
		application.get(path).expectStatus().isEqualTo(httpStatus).expectBody().jsonPath("$.status").isEqualTo(status);
	}

}
