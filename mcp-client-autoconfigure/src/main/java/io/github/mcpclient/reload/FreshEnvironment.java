package io.github.mcpclient.reload;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.github.mcpclient.config.ImportedProperties;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.Redaction;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.bootstrap.BootstrapRegistry.InstanceSupplier;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.config.ConfigDataEnvironmentUpdateListener;
import org.springframework.boot.context.config.ConfigDataException;
import org.springframework.boot.context.config.ConfigDataLocation;
import org.springframework.boot.context.config.ConfigDataLocationNotFoundException;
import org.springframework.boot.context.config.ConfigDataResource;
import org.springframework.boot.context.config.ConfigDataResourceNotFoundException;
import org.springframework.boot.context.config.StandardConfigDataResource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.ConfigTreePropertySource;
import org.springframework.boot.env.DefaultPropertiesPropertySource;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.origin.Origin;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.support.SpringFactoriesLoader;

/**
 * Reads the configuration files of the application again, into a separate environment.
 * All other property sources are shared with the application: arguments, variables,
 * system properties, properties of tests, and defaults. The environment of the
 * application is unchanged.
 */
final class FreshEnvironment implements Supplier<ConfigurableEnvironment> {

	private static final Pattern PLACE = Pattern.compile("line \\d+, column \\d+");

	private final ConfigurableApplicationContext context;

	private volatile ConfigurationFiles files = new ConfigurationFiles();

	private final Supplier<ConfigurableEnvironment> application;

	// the property sources of files in the environment of the application
	private volatile List<PropertySource<?>> ofFiles;

	FreshEnvironment(ConfigurableApplicationContext context) {
		this.context = context;
		this.application = context::getEnvironment;
		this.ofFiles = ofFiles();
	}

	private List<PropertySource<?>> ofFiles() {
		return this.context.getEnvironment()
			.getPropertySources()
			.stream()
			.filter(FreshEnvironment::isOfFile)
			.<PropertySource<?>>map((source) -> source)
			.toList();
	}

	/**
	 * Return the environment to bind after a library has changed the environment of the
	 * application: that environment if its files were read again, and otherwise an
	 * environment with the current files, which may be newer.
	 */
	Supplier<ConfigurableEnvironment> afterChange() {
		List<PropertySource<?>> before = this.ofFiles;
		List<PropertySource<?>> now = ofFiles();
		this.ofFiles = now;
		boolean same = now.size() == before.size();
		for (int i = 0; same && i < now.size(); i++) {
			// they are equal by name
			same = now.get(i) == before.get(i);
		}
		return same ? this : this.application;
	}

	/**
	 * Return the files of the latest attempt to read the configuration and, if it failed,
	 * also the files of the attempt before.
	 */
	ConfigurationFiles files() {
		return this.files;
	}

	/**
	 * Read the files.
	 * @throws InvalidMcpConfigurationException if a file is missing, or cannot be read.
	 * The exception has no content of the file
	 */
	@Override
	public ConfigurableEnvironment get() {
		ConfigurationFiles files = new ConfigurationFiles();
		try {
			ConfigurableEnvironment fresh = read(files);
			this.files = files;
			return fresh;
		}
		catch (RuntimeException ex) {
			addTree(missing(ex), files);
			files.addAll(this.files);
			this.files = files;
			throw new InvalidMcpConfigurationException(List.of(problem(ex, files)));
		}
	}

	private ConfigurableEnvironment read(ConfigurationFiles files) {
		ConfigurableEnvironment live = this.context.getEnvironment();
		ConfigurableEnvironment fresh = new OwnEnvironment();
		fresh.setConversionService(live.getConversionService());
		fresh.setActiveProfiles(live.getActiveProfiles());
		fresh.setDefaultProfiles(live.getDefaultProfiles());
		MutablePropertySources sources = fresh.getPropertySources();
		// sources that were added after the files, with lower precedence
		List<PropertySource<?>> later = new ArrayList<>();
		boolean afterFiles = false;
		for (PropertySource<?> source : live.getPropertySources()) {
			boolean ofFile = isOfFile(source);
			afterFiles |= ofFile;
			if (afterFiles && !ofFile && !DefaultPropertiesPropertySource.hasMatchingName(source)) {
				later.add(source);
			}
			else if (!ofFile && !ConfigurationPropertySources.isAttachedConfigurationPropertySource(source)) {
				sources.addLast(source);
			}
		}
		ConfigurationPropertySources.attach(fresh);
		load(fresh, live, files);
		// the loader of another library may have read its sources again
		later.stream().filter((source) -> !sources.contains(source.getName())).forEach(sources::addLast);
		DefaultPropertiesPropertySource.moveToEnd(sources);
		files.addSubdirectories();
		for (PropertySource<?> source : sources) {
			if (source instanceof EnumerablePropertySource<?> enumerable) {
				addImportedTrees(enumerable, fresh, files);
				addEnvFiles(enumerable, fresh, files);
			}
		}
		return fresh;
	}

	private void load(ConfigurableEnvironment fresh, ConfigurableEnvironment live, ConfigurationFiles files) {
		DefaultBootstrapContext bootstrap = new DefaultBootstrapContext();
		bootstrap.register(ImportedProperties.FileListener.class, InstanceSupplier.of(files::add));
		ConfigDataEnvironmentPostProcessor.applyTo(fresh, files.notedBy(this.context), bootstrap, List.of(),
				new ConfigDataEnvironmentUpdateListener() {

					@Override
					public void onPropertySourceAdded(PropertySource<?> source, @Nullable ConfigDataLocation location,
							@Nullable ConfigDataResource resource) {
						checkNotWrapped(live.getPropertySources().get(source.getName()), source);
						if (source instanceof ConfigTreePropertySource tree) {
							files.addTree(tree.getSource());
						}
						else if (resource instanceof StandardConfigDataResource standard) {
							files.add(standard.getResource());
						}
					}

				});
	}

	/**
	 * Return whether Spring Boot has read a source from files, by its name, which remains
	 * if a library wraps all sources.
	 */
	static boolean isOfFile(PropertySource<?> source) {
		return source.getName().startsWith("Config resource '") || source.getName().startsWith("Config tree '")
				|| ImportedProperties.isFrom(source);
	}

	/**
	 * A library that wraps the sources of the application may decrypt their values, but
	 * does not wrap the sources read here.
	 */
	private static void checkNotWrapped(@Nullable PropertySource<?> live, PropertySource<?> fresh) {
		if (live != null && isOfFile(live) && live.getClass() != fresh.getClass()) {
			throw new WrappedSourceException("The configuration cannot be read again from its files: the property"
					+ " source \"" + live.getName() + "\" is wrapped in a " + live.getClass().getName()
					+ ", which may change its values. Change the environment of the application, as Spring Cloud"
					+ " does, or start the application again.");
		}
	}

	/**
	 * Add the trees that a source imports, which may not exist yet.
	 */
	private static void addImportedTrees(PropertySource<?> source, ConfigurableEnvironment fresh,
			ConfigurationFiles files) {
		ConfigurationPropertySource adapted = ConfigurationPropertySource.from(source);
		if (adapted != null) {
			new Binder(List.of(adapted),
					(value) -> (value instanceof String text) ? fresh.resolvePlaceholders(text) : value)
				.bind("spring.config.import", ConfigDataLocation[].class)
				.ifBound((locations) -> List.of(locations).forEach((location) -> addTree(location, files)));
		}
	}

	private static void addTree(@Nullable ConfigDataLocation location, ConfigurationFiles files) {
		String prefix = "configtree:";
		if (location == null) {
			return;
		}
		for (ConfigDataLocation part : location.split()) {
			String path = part.hasPrefix(prefix) ? part.getNonPrefixedValue(prefix) : "*";
			if (path.indexOf('*') == -1) {
				addPath(path, files::addTree);
			}
		}
	}

	private static void addEnvFiles(EnumerablePropertySource<?> source, ConfigurableEnvironment fresh,
			ConfigurationFiles files) {
		for (String name : source.getPropertyNames()) {
			String uniform = PropertyNames.uniform(name);
			if (uniform.startsWith("mcp") && uniform.endsWith("envfile")
					&& source.getProperty(name) instanceof CharSequence value) {
				addPath(fresh.resolvePlaceholders(value.toString()), files::add);
			}
		}
	}

	private static void addPath(String path, Consumer<Path> to) {
		try {
			to.accept(Path.of(path));
		}
		catch (InvalidPathException ex) {
			// reported when it is read
		}
	}

	private Problem problem(RuntimeException ex, ConfigurationFiles files) {
		if (!(ex instanceof ConfigDataException) && !(ex instanceof WrappedSourceException)) {
			return unreadable(ex, files);
		}
		ConfigDataLocation location = missing(ex);
		// a location may have a password
		String message = Redaction.urls(String.valueOf(ex.getMessage()));
		if (location == null) {
			return new Problem("spring.config", message, Origin.from(ex));
		}
		String missing = Redaction.urls(location.toString());
		return new Problem(missing, message + ". Create it, or import it as optional:" + missing + ".",
				Origin.from(ex));
	}

	private static @Nullable ConfigDataLocation missing(RuntimeException ex) {
		return (ex instanceof ConfigDataResourceNotFoundException resource) ? resource.getLocation()
				: (ex instanceof ConfigDataLocationNotFoundException location) ? location.getLocation() : null;
	}

	/**
	 * Describe a failure of a parser, whose message may have a part of the file, but does
	 * not name the file.
	 */
	private Problem unreadable(RuntimeException failure, ConfigurationFiles files) {
		List<PropertySourceLoader> loaders = SpringFactoriesLoader.loadFactories(PropertySourceLoader.class,
				this.context.getClassLoader());
		for (Path file : files.files()) {
			for (PropertySourceLoader loader : loaders) {
				Throwable ex = tryToLoad(file, loader);
				if (ex != null) {
					return new Problem(file.toString(), "The file cannot be read" + place(ex) + ". Correct it.", null);
				}
			}
		}
		return new Problem("spring.config", "The files cannot be read (" + failure.getClass().getName()
				+ "). To see why, start another instance of the application with them.", null);
	}

	private static @Nullable Throwable tryToLoad(Path file, PropertySourceLoader loader) {
		String name = String.valueOf(file.getFileName());
		boolean loadable = false;
		for (String extension : loader.getFileExtensions()) {
			loadable |= name.endsWith("." + extension);
		}
		try {
			if (loadable && file.toFile().exists()) {
				loader.load(name, new FileSystemResource(file));
			}
			return null;
		}
		catch (IOException | RuntimeException ex) {
			return ex;
		}
	}

	/**
	 * Return the last position in the message of SnakeYAML, which is that of the error.
	 */
	private static String place(Throwable ex) {
		return PLACE.matcher(String.valueOf(ex.getMessage()))
			.results()
			.reduce((first, second) -> second)
			.map((place) -> " (" + place.group() + ")")
			.orElse("");
	}

	private static final class OwnEnvironment extends StandardEnvironment {

		@Override
		protected void customizePropertySources(MutablePropertySources propertySources) {
			// only the sources of the application
		}

	}

	private static final class WrappedSourceException extends IllegalStateException {

		WrappedSourceException(String message) {
			super(message);
		}

	}

}
