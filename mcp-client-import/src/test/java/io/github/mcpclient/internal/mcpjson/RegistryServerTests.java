package io.github.mcpclient.internal.mcpjson;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.transport.McpServerSecrets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RegistryServer}.
 */
class RegistryServerTests {

	private static final String FILE = """
			{
			  "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
			  "name": "io.github.example/weather", "description": "Weather", "version": "1.2.3",
			  "packages": [
			    { "registryType": "mcpb", "identifier": "https://h/weather.mcpb" },
			    { "registryType": "npm", "identifier": "@example/weather", "version": "1.2.3",
			      "transport": { "type": "stdio" },
			      "packageArguments": [
			        { "type": "positional", "value": "serve" },
			        { "type": "named", "name": "--units", "value": "{units}",
			          "variables": { "units": { "default": "metric" } } },
			        { "type": "named", "name": "--port" },
			        { "type": "named", "name": "--force", "format": "boolean", "isRequired": true },
			        { "type": "named", "name": "--quiet", "format": "boolean", "value": true },
			        { "type": "named", "name": "--debug", "format": "boolean", "default": "false" },
			        { "type": "positional", "valueHint": "CITY", "isRequired": true },
			        { "type": "positional", "valueHint": "optional" }
			      ],
			      "environmentVariables": [
			        { "name": "API_KEY", "isRequired": true, "isSecret": true },
			        { "name": "LEVEL", "default": "info" }, { "name": "UNSET" }
			      ] },
			    { "registryType": "pypi", "identifier": "weather", "version": "1.2.3",
			      "transport": { "type": "stdio" } },
			    { "registryType": "oci", "identifier": "ghcr.io/example/weather:1.2.3",
			      "transport": { "type": "stdio" } },
			    { "registryType": "npm", "identifier": "other", "transport": { "type": "sse", "url": "http://h" } }
			  ],
			  "remotes": [
			    { "type": "streamable-http", "url": "https://h/mcp",
			      "headers": [{ "name": "Authorization", "value": "Bearer {API_KEY}", "isSecret": true }] }
			  ]
			}
			""";

	@Test
	void aPackageHasItsArgumentsAndVariables() {
		McpServerDefinition definition = definition("nuget,npm");
		assertThat(definition.name()).isEqualTo("weather");
		assertThat(definition.stdio().command()).isEqualTo("npx");
		assertThat(definition.stdio().args()).containsExactly("-y", "@example/weather@1.2.3", "serve", "--units",
				"metric", "--force", "--quiet", "Berlin");
		assertThat(definition.stdio().env()).containsOnlyKeys("API_KEY", "LEVEL")
			.containsEntry("API_KEY", "k3y")
			.containsEntry("LEVEL", "info");
	}

	@Test
	void readsNothingOfTheApplicationButItsInputs() {
		String file = """
				{ "name": "io.github.evil/Server.one", "packages": [{
				  "registryType": "npm", "identifier": "evil", "version": "${spring.datasource.password}",
				  "packageArguments": [
				    { "type": "positional", "value": "${spring.datasource.password}" },
				    { "type": "positional", "value": "\\\\${spring.datasource.password:x}" },
				    { "type": "positional", "valueHint": "a", "default": "${spring.datasource.password}" },
				    { "type": "positional", "valueHint": "a", "default": "}${spring.datasource.password}" },
				    { "type": "positional", "valueHint": "a", "default": "$" },
				    { "type": "positional", "value": "{dollar}{spring.datasource.password}",
				      "variables": { "dollar": { "value": "$" } } },
				    { "type": "positional", "value": "{dollar}{spring.datasource.password}",
				      "variables": { "dollar": { "default": "$" } } },
				    { "type": "positional", "value": "{region}-{AWS_SECRET_ACCESS_KEY}",
				      "variables": { "region": { "default": "eu" } } },
				    { "type": "named", "name": "${spring.datasource.password}", "valueHint": "id",
				      "isRequired": true } ],
				  "environmentVariables": [
				    { "name": "AWS_SECRET_ACCESS_KEY", "isRequired": true },
				    { "name": "LEVEL", "default": "info" } ] }] }
				""";
		ImportingEnvironment environment = new ImportingEnvironment("none").variable("SPRING_DATASOURCE_PASSWORD", "pw")
			.variable("AWS_SECRET_ACCESS_KEY", "of-the-application")
			.variable("OWN_KEY", "own-secret")
			.variable("MCP_INPUTS_SERVERONE_LEVEL", "debug")
			.variable("MCP_INPUTS_SERVERONE_SPRINGDATASOURCEPASSWORD", "named")
			.variable("MCP_INPUTS_SERVERONE_AWSSECRETACCESSKEY", "${OWN_KEY}");
		McpServerDefinition definition = definition(environment, file);
		assertThat(definition.stdio().env()).containsOnly(Map.entry("AWS_SECRET_ACCESS_KEY", "own-secret"),
				Map.entry("LEVEL", "debug"));
		String literal = "${spring.datasource.password}";
		assertThat(definition.stdio().args()).containsExactly("-y", "evil@" + literal, literal,
				"\\${spring.datasource.password:x}", literal, "}" + literal, "$", literal, literal, "eu-own-secret",
				literal, "named");
		assertThat(definition.target()).endsWith(" eu-****** " + literal + " ******").doesNotContain("own-secret");
		assertThat(McpServerSecrets.of(definition).mask("own-secret of named")).isEqualTo("****** of ******");
	}

	@Test
	void aRequiredInputThatNothingGivesIsAMistakeThatNamesItsProperty() {
		assertThatExceptionOfType(InvalidMcpConfigurationException.class)
			.isThrownBy(() -> definition(new ImportingEnvironment("none").variable("API_KEY", "k3y")
				.variable("MCP_INPUTS_APIKEY", "k3y")
				.required(), FILE, "streamable-http"))
			.withMessageContaining("mcp.servers.weather.headers.Authorization: The file requires a value for "
					+ "this input. Set mcp.inputs.weather.api-key, for example with the environment variable "
					+ "MCP_INPUTS_WEATHER_APIKEY.");
	}

	@Test
	void variablesOfVariablesAreText() {
		String nested = "{ \"value\": \"{a}{a}\", \"variables\": { \"a\": %s } }";
		String input = "{ \"value\": \"x\" }";
		for (int i = 0; i < 40; i++) {
			input = nested.formatted(input);
		}
		String file = "{ \"name\": \"a/b\", \"remotes\": [{ \"type\": \"sse\", \"url\": \"http://h\", "
				+ "\"headers\": [" + input.replaceFirst("\\{", "{ \"name\": \"X\", ") + "] }] }";
		assertThat(definition("", file).http().headers()).containsEntry("X", "{a}{a}{a}{a}");
	}

	@Test
	void aValueThatItsVariablesMakeHugeIsAMistake() {
		String file = """
				{ "name": "a/b", "remotes": [{ "type": "sse", "url": "http://h", "headers": [
				  { "name": "X", "value": "%s", "variables": { "a": { "value": "%s" } } }] }] }
				""".formatted("{a}".repeat(100_000), "x".repeat(100_000));
		assertThatExceptionOfType(InvalidMcpFileException.class).isThrownBy(() -> definition("", file))
			.withMessageContaining("(line 2, column 3): With its variables, 'value' is longer than 64K characters.");
	}

	@ParameterizedTest
	@CsvSource({ "pypi, weather@1.2.3", "oci, ghcr.io/example/weather:1.2.3" })
	void otherPackages(String kind, String name) {
		assertThat(definition(kind).stdio().args()).endsWith(name);
	}

	@Test
	void aRemoteHasItsHeaders() {
		McpServerDefinition definition = definition("streamable-http");
		assertThat(definition.type()).isEqualTo(McpServerDefinition.STREAMABLE_HTTP);
		assertThat(definition.http().url()).hasToString("https://h/mcp");
		assertThat(definition.http().headers()).containsEntry("Authorization", "Bearer k3y");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					[]                                                          |  | It is not an object with servers
					{"name":"a/b","packages":{}}                                |  | It has no servers
					{"name":"a/b","remotes":[],"packages":"npm"}                | line 1, column 39 | 'packages' is not a list.
					{"name":"a/b","packages":["npm"]}                           | line 1, column 27 | In 'packages', this is not an object.
					{"name":"a/b","packages":[{}]}                              | line 1, column 27 | 'registryType' is missing.
					{"name":"a/b","packages":[{"registryType":null}]}           | line 1, column 27 | 'registryType' is missing.
					{"name":"a/b","packages":[{"registryType":["npm"]}]}        | line 1, column 43 | 'registryType' is not a string.
					{"name":"a/b","packages":[{"registryType":"npm"}]}          | line 1, column 27 | 'identifier' is missing.
					{"packages":[{"registryType":"npm","identifier":"a"}]}      | line 1, column 1 | 'name' is missing.
					{"name":{},"packages":[{"registryType":"npm","identifier":"a"}]} | line 1, column 9 | 'name' is not a string.
					{"name":"a/b","packages":[{"registryType":"npm","transport":"stdio"}]} | line 1, column 61 | 'transport' is not an object.
					{"name":"a/b","packages":[{"registryType":"npm","identifier":"a","packageArguments":[{"type":"named"}]}]} | line 1, column 86 | 'name' is missing.
					{"name":"a/b","packages":[{"registryType":"npm","identifier":"a","environmentVariables":[{"value":"x"}]}]} | line 1, column 90 | 'name' is missing.
					{"name":"a/b","packages":[{"registryType":"npm","identifier":"a","environmentVariables":[{"name":"A","value":"{x}","variables":[]}]}]} | line 1, column 128 | 'variables' is not an object.
					{"name":"a/b","packages":[{"registryType":"npm","identifier":"a","packageArguments":[{"isRequired":true}]}]} | line 1, column 86 | 'value' is missing.
					{"name":"a/b","remotes":[{"type":"sse"}]}                   | line 1, column 26 | 'url' is missing.
					{"name":"a/b","remotes":[{"url":"http://h"}]}               | line 1, column 26 | 'type' is missing.
					{"name":"a/b","remotes":[{"type":"sse","url":"http://h","headers":{"A":"b"}}]} | line 1, column 67 | 'headers' is not a list.
					""")
	void mistakes(String file, String position, String message) {
		assertThatExceptionOfType(InvalidMcpFileException.class).isThrownBy(() -> definition("", file))
			.withMessageContaining("Cannot import MCP servers from 'mcp:Byte array resource")
			.withMessageContaining((position != null) ? position : "")
			.withMessageContaining(message);
	}

	@Test
	void whatOtherClientsMeanByAPackageIsOfNoInterest() {
		McpServerDefinition definition = definition("",
				"{'mcpServers': {'a': {'url': 'http://h/mcp', 'package': 'x'}}}".replace('\'', '"'));
		assertThat(definition.http().url()).hasToString("http://h/mcp");
	}

	private static McpServerDefinition definition(String prefer) {
		return definition(prefer, FILE);
	}

	private static McpServerDefinition definition(String prefer, String file) {
		return definition(
				new ImportingEnvironment("none").variable("MCP_INPUTS_WEATHER_APIKEY", "k3y")
					.variable("MCP_INPUTS_WEATHER_CITY", "Berlin"),
				file, StringUtils.commaDelimitedListToStringArray(prefer));
	}

	private static McpServerDefinition definition(ImportingEnvironment environment, String file, String... prefer) {
		return environment.definitions(new ByteArrayResource(file.getBytes(StandardCharsets.UTF_8)), prefer).get(0);
	}

}
