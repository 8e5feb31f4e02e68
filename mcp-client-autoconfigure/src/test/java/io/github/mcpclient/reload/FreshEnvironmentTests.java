package io.github.mcpclient.reload;

import java.nio.file.Path;
import java.util.Map;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.env.DefaultPropertiesPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FreshEnvironment}.
 */
class FreshEnvironmentTests {

	private ReloadedFiles files;

	@TempDir
	private Path directory;

	@BeforeEach
	void createApplication() {
		this.files = new ReloadedFiles(this.directory);
	}

	@Test
	void sourcesKeepTheirPrecedence() {
		this.files.write("application.yml", "fromFile: 1\nboth: file\nlater: file\ndefault: file");
		this.files.argument("both", "argument").start((environment) -> {
			environment.getPropertySources()
				.addLast(new MapPropertySource("annotation", Map.of("later", "annotation", "annotation", "1")));
			DefaultPropertiesPropertySource.addOrMerge(Map.of("default", "default", "annotation", "default"),
					environment.getPropertySources());
		});
		this.files.write("application.yml", "fromFile: 22\nboth: file\nlater: file\ndefault: file");
		ConfigurableEnvironment fresh = this.files.fresh().get();
		assertThat(fresh.getPropertySources()).extracting(PropertySource::getName)
			.containsExactlyElementsOf(
					this.files.environment().getPropertySources().stream().map(PropertySource::getName).toList());
		assertThat(fresh.getProperty("fromFile")).isEqualTo("22");
		assertThat(fresh.getProperty("both")).isEqualTo("argument");
		assertThat(fresh.getProperty("later")).isEqualTo("file");
		assertThat(fresh.getProperty("default")).isEqualTo("file");
		assertThat(fresh.getProperty("annotation")).isEqualTo("1");
		assertThat(this.files.environment().getProperty("fromFile")).isEqualTo("1");
	}

	@Test
	void activeProfilesStayActive() {
		this.files.write("application.yml", "spring.profiles.include: more");
		this.files.write("application-prod.yml", "a: prod");
		this.files.write("application-more.yml", "b: more");
		this.files.argument("spring.profiles.active", "prod").start();
		this.files.environment().addActiveProfile("code");
		this.files.write("application.yml", "c: 1");
		this.files.write("application-code.yml", "d: code");
		ConfigurableEnvironment fresh = this.files.fresh().get();
		assertThat(fresh.getActiveProfiles()).containsExactlyInAnyOrder("prod", "more", "code");
		assertThat(fresh.getProperty("a")).isEqualTo("prod");
		assertThat(fresh.getProperty("b")).isEqualTo("more");
		assertThat(fresh.getProperty("d")).isEqualTo("code");
	}

	@Test
	void whatDecryptsValuesIsNotEvaded() {
		this.files.write("application.yml", "password: ENC(abc)");
		this.files.start((environment) -> {
			MutablePropertySources sources = environment.getPropertySources();
			sources.stream()
				.filter(FreshEnvironment::isOfFile)
				.toList()
				.forEach((source) -> sources.replace(source.getName(), new Decrypting(source)));
		});
		assertThatExceptionOfType(InvalidMcpConfigurationException.class).isThrownBy(() -> this.files.fresh().get())
			.withMessageContaining("application.yml")
			.withMessageContaining(Decrypting.class.getName());
	}

	@Test
	void whatIsMissingIsNamedWithoutItsPassword() {
		this.files.write("application.yml", "a: 1");
		this.files.start();
		this.files.write("application.yml", "spring.config.import: http://user:s3cret@localhost:1/servers.yml");
		assertThatExceptionOfType(InvalidMcpConfigurationException.class).isThrownBy(() -> this.files.fresh().get())
			.withMessageContaining("optional:http://localhost:1/servers.yml")
			.withMessageNotContaining("s3cret");
	}

	@Test
	void environmentThatOthersHaveReadAgainIsTaken() {
		this.files.write("application.yml", "a: 1");
		this.files.start();
		this.files.write("application.yml", "a: 22");
		// others have changed something, but have not read the files
		this.files.environment()
			.getPropertySources()
			.addFirst(new MapPropertySource("manager", Map.of("set", "by hand")));
		assertThat(this.files.fresh().afterChange().get().getProperty("a")).isEqualTo("22");
		assertThat(this.files.fresh().afterChange().get().getProperty("set")).isEqualTo("by hand");
		MutablePropertySources sources = this.files.environment().getPropertySources();
		sources.stream()
			.filter(FreshEnvironment::isOfFile)
			.toList()
			.forEach((source) -> sources.replace(source.getName(),
					new MapPropertySource(source.getName(), Map.of("a", "as others read it"))));
		assertThat(this.files.fresh().afterChange().get()).isSameAs(this.files.environment());
	}

	private static final class Decrypting extends EnumerablePropertySource<PropertySource<?>> {

		Decrypting(PropertySource<?> source) {
			super(source.getName(), source);
		}

		@Override
		public String[] getPropertyNames() {
			return ((EnumerablePropertySource<?>) this.source).getPropertyNames();
		}

		@Override
		public Object getProperty(String name) {
			return this.source.getProperty(name);
		}

	}

}
