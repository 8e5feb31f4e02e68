package io.github.mcpclient.reload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * An application whose configuration is in a directory, and a watcher that looks when it
 * is told to.
 */
final class ReloadedFiles {

	private final Path directory;

	private final Map<String, Object> arguments = new LinkedHashMap<>();

	private final StandardEnvironment environment = new StandardEnvironment();

	private FreshEnvironment fresh;

	private ConfigurationWatcher watcher;

	private ConfigurableEnvironment read;

	private RuntimeException failure;

	private int reloads;

	ReloadedFiles(Path directory) {
		this.directory = directory;
		this.environment.getPropertySources().addFirst(new MapPropertySource("commandLineArgs", this.arguments));
		argument("spring.config.location", "optional:" + directory.toUri());
	}

	ReloadedFiles argument(String name, Object value) {
		this.arguments.put(name, value);
		return this;
	}

	ReloadedFiles start() {
		return start((environment) -> {
		});
	}

	/**
	 * Start the application.
	 * @param after changes the environment after files were read
	 */
	ReloadedFiles start(Consumer<ConfigurableEnvironment> after) {
		ConfigurationPropertySources.attach(this.environment);
		ConfigDataEnvironmentPostProcessor.applyTo(this.environment);
		after.accept(this.environment);
		GenericApplicationContext context = new GenericApplicationContext();
		context.setEnvironment(this.environment);
		this.fresh = new FreshEnvironment(context);
		this.watcher = new ConfigurationWatcher(this.fresh, this::reload, Duration.ofMillis(1));
		this.watcher.begin();
		this.reloads = 0;
		return this;
	}

	private void reload() {
		this.reloads++;
		this.failure = null;
		try {
			this.read = this.fresh.get();
		}
		catch (RuntimeException ex) {
			this.failure = ex;
		}
	}

	/**
	 * Return how often the configuration was reloaded during two looks.
	 */
	int twoLooks() {
		int before = this.reloads;
		look();
		look();
		return this.reloads - before;
	}

	void look() {
		this.watcher.look();
	}

	int reloads() {
		return this.reloads;
	}

	RuntimeException failure() {
		return this.failure;
	}

	FreshEnvironment fresh() {
		return this.fresh;
	}

	ConfigurableEnvironment environment() {
		return this.environment;
	}

	ConfigurationWatcher watcher() {
		return this.watcher;
	}

	/**
	 * Return a property as it was read last.
	 */
	String property(String name) {
		return this.read.getProperty(name);
	}

	Path write(String name, String content) {
		return write(this.directory.resolve(name), content);
	}

	static Path write(Path file, String content) {
		try {
			Files.createDirectories(file.getParent());
			return Files.writeString(file, content);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Write what the kubelet writes of a ConfigMap or a Secret: a directory of its own,
	 * on which a link is put by renaming another one.
	 */
	void mount(String mount, String version, String name, String content) throws IOException {
		Path directory = Files.createDirectories(this.directory.resolve(mount));
		Path data = directory.resolve("..data");
		Path before = Files.exists(data) ? data.toRealPath() : null;
		write(directory.resolve(".." + version).resolve(name), content);
		Path link = Files.createSymbolicLink(directory.resolve("..data_tmp"), Path.of(".." + version));
		Files.move(link, data, StandardCopyOption.ATOMIC_MOVE);
		if (before == null) {
			Files.createSymbolicLink(directory.resolve(name), Path.of("..data", name));
		}
		else {
			Files.delete(before.resolve(name));
			Files.delete(before);
		}
	}

}
