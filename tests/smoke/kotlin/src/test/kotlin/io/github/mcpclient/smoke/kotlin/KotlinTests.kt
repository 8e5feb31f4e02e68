package io.github.mcpclient.smoke.kotlin

import io.github.mcpclient.McpServerRegistry
import io.github.mcpclient.McpServerState
import io.github.mcpclient.McpToolCatalog
import io.github.mcpclient.McpToolRequest
import io.github.mcpclient.declared.ImportMcpToolClients
import io.github.mcpclient.declared.McpToolClient
import io.github.mcpclient.declared.McpToolClientFactory
import io.github.mcpclient.definition.McpServerDefinition
import io.github.mcpclient.definition.McpToolRule.Approval
import io.github.mcpclient.definition.McpToolRule.Rate
import io.github.mcpclient.handler.McpElicitationHandler
import io.github.mcpclient.spi.McpJsonMapperCustomizer
import io.github.mcpclient.test.server.McpTestReply
import io.github.mcpclient.test.server.McpTestServer
import io.modelcontextprotocol.spec.McpSchema.ElicitResult
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatIllegalArgumentException
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.WebApplicationType
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.annotation.Bean
import tools.jackson.module.kotlin.kotlinModule
import java.net.URI
import java.time.Duration

/**
 * What an application in Kotlin writes, with all warnings and strict nullness. That it compiles is the test of the
 * annotations of the API.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KotlinTests {

	private val server = McpTestServer.create()
		.tool("forecast") { request ->
			McpTestReply.result(mapOf("content" to emptyList<Any>(), "structuredContent" to request.arguments()))
		}
		.tool("ask") { request ->
			val schema = mapOf("type" to "object", "properties" to mapOf("city" to mapOf("type" to "string")))
			val answer = request.request("elicitation/create", mapOf("message" to "Where?", "requestedSchema" to schema))
			McpTestReply.text(answer.get().toString())
		}
		.start()

	private val application = SpringApplicationBuilder(Application::class.java)
		.web(WebApplicationType.NONE)
		.properties("spring.main.banner-mode=off", "mcp.servers.weather.url=${server.url()}")
		.run()

	private val tools = application.getBean(McpToolCatalog::class.java)

	@AfterAll
	fun stop() {
		application.close()
		server.close()
	}

	@Test
	fun argumentsMayBeNull() {
		val forecast = tools.get("weather_forecast")
		val arguments: Map<String, Any?> = mapOf("city" to "Oslo", "days" to null)
		assertThat(forecast.call(arguments).structuredContent()).isEqualTo(arguments)
		val request = McpToolRequest.of(arguments).withTimeout(Duration.ofSeconds(5)).withMeta(mapOf("tenant" to null))
		assertThat(forecast.callAsync(request).block()?.structuredContent()).isEqualTo(arguments)
		assertThat(request.arguments()["days"]?.toString()).isNull()
		val texts: Map<String, String> = mapOf("city" to "Oslo")
		assertThat(forecast.call(texts).structuredContent()).isEqualTo(texts)
	}

	@Test
	fun dataClassesAreArgumentsAndResults() {
		val forecast = tools.get("weather_forecast").call(Place("Oslo", null)).structuredContent(Forecast::class.java)
		assertThat(forecast.days?.toString()).isNull()
		assertThat(forecast.unit).`as`("as Kotlin's module of Jackson has it").isEqualTo("celsius")
	}

	@Test
	fun whatMayBeAbsentIsNullable() {
		val forecast = tools.get("weather_forecast")
		assertThat(forecast.title()?.length).isNull()
		assertThat(forecast.outputSchema()?.get("type")?.toString()).isNull()
		assertThat(forecast.rule()?.approval()).isNull()
		val status = application.getBean(McpServerRegistry::class.java).server("weather").status()
		assertThat(status.state()).isEqualTo(McpServerState.READY)
		assertThat(status.lastError()?.length).isNull()
	}

	@Test
	fun aHandlerAnswersTheServer() {
		assertThat(tools.get("weather_ask").call(emptyMap<String, Any>()).text()).contains("city=Oslo")
	}

	@Test
	fun aDeclaredClientCallsTools() {
		val weather = application.getBean(Weather::class.java)
		assertThat(weather.forecast("Oslo", null)).isEqualTo(Forecast("Oslo", null))
		assertThat(weather.forecast("Oslo", 3).days).isEqualTo(3)
	}

	@Test
	fun suspendFunctionsAreRejected() {
		val clients = application.getBean(McpToolClientFactory::class.java)
		assertThatIllegalArgumentException().isThrownBy { clients.create(Suspending::class.java) }
			.withMessageContaining("suspend function")
	}

	@Test
	fun aDefinitionIsComplete() {
		val definition = McpServerDefinition.http("tickets", URI("https://tickets.example/mcp"))
			.auth { auth -> auth.oauth2 { it.clientId("me").clockSkew(Duration.ofSeconds(5)).scopes("read") } }
			.toolRule("delete_*") { rule -> rule.approval(Approval.ALWAYS).rate(Rate.of("60/m")).argument("note", null) }
			.build()
		val clockSkew: Duration = definition.auth().oauth2().clockSkew()
		val longest: Duration = definition.reconnect().maxDelay()
		assertThat(listOf(clockSkew, longest)).containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(30))
		assertThat(definition.auth().oauth2().issuerUri()?.length).isNull()
		assertThat(definition.http()?.sslBundle()?.length).isNull()
		assertThat(definition.tools().rules().single().rate()?.calls()).isEqualTo(60)
	}

	data class Place(val city: String, val days: Int?)

	data class Forecast(val city: String, val days: Int?, val unit: String = "celsius")

	@McpToolClient("weather")
	interface Weather {

		fun forecast(city: String, days: Int?): Forecast

	}

	@McpToolClient("weather")
	interface Suspending {

		suspend fun forecast(city: String): Forecast

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@ImportMcpToolClients(Weather::class)
	class Application {

		@Bean
		fun kotlinTypes() = McpJsonMapperCustomizer { it.addModule(kotlinModule()) }

		@Bean
		fun questions() = McpElicitationHandler { _, context ->
			val city = context.caller()?.getOrDefault("city", "Oslo")
			ElicitResult(ElicitResult.Action.ACCEPT, mapOf("city" to city))
		}

	}

}
