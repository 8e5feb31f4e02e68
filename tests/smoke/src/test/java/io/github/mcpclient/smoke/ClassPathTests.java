package io.github.mcpclient.smoke;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That an application gets one version of the SDK, and of Boot.
 */
class ClassPathTests {

	private static final Pattern SDK_JAR = Pattern.compile("(mcp(?:-core|-json.*?|-test)?)-(\\d.*)\\.jar");

	private final List<String> jars = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
		.map((entry) -> Path.of(entry).getFileName().toString())
		.filter((name) -> name.endsWith(".jar"))
		.toList();

	@Test
	void theSdkIsThereOnceAndInOneVersion() {
		List<Matcher> sdk = this.jars.stream().map(SDK_JAR::matcher).filter(Matcher::matches).toList();
		assertThat(sdk.stream().map((jar) -> jar.group(1)))
			.containsExactlyInAnyOrder(System.getProperty("smoke.sdk-jars").split(" "));
		assertThat(sdk.stream().map((jar) -> jar.group(2))).containsOnly("2.1.0");
	}

	@Test
	void nothingComesAlongThatAsksForAnotherVersion() {
		assertThat(this.jars).noneMatch((jar) -> jar.startsWith("mcp-spring") || jar.startsWith("spring-ai-mcp"));
	}

	/**
	 * Native libraries for HTTP/3, for five platforms.
	 */
	@Test
	void quicDoesNotComeAlong() {
		assertThat(this.jars).anyMatch((jar) -> jar.startsWith("reactor-netty-http"))
			.noneMatch((jar) -> jar.startsWith("netty-codec-native-quic"));
	}

	@Test
	void bootAndActuatorAreThereInOneVersion() {
		List<String> boot = this.jars.stream()
			.filter((jar) -> jar.matches("spring-boot(-actuator|-autoconfigure|-http-client|-health)?-\\d.*"))
			.toList();
		assertThat(boot).hasSize(5)
			.allMatch((jar) -> jar.endsWith("-" + System.getProperty("smoke.boot", "4.1.2") + ".jar"));
	}

}
