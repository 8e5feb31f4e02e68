package io.github.mcpclient.internal.testcontainers;

import java.lang.reflect.Method;
import java.net.URI;
import java.util.List;

import io.github.mcpclient.internal.testcontainers.McpContainerConnectionDetailsFactory.Declared;
import io.github.mcpclient.service.McpServerConnectionDetails;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.util.Assert;
import org.springframework.util.ReflectionUtils;

/**
 * Registers a container with {@code @ServiceConnection("weather")} as the server
 * {@code weather}, with the first port that the container exposes.
 *
 * <p>
 * Any name can be the name of a server. A container that another factory supports, such
 * as one named {@code redis}, is not a server unless the annotation has
 * {@code type = McpServerConnectionDetails.class}.
 */
class McpContainerConnectionDetailsFactory extends EachContainerConnectionDetailsFactory<Declared> {

	private static final Log logger = LogFactory.getLog(McpContainerConnectionDetailsFactory.class);

	@Override
	protected boolean sourceAccepts(ContainerConnectionSource<GenericContainer<?>> source,
			Class<?> requiredContainerType, Class<?> requiredConnectionDetailsType) {
		if (!source.accepts(ANY_CONNECTION_NAME, requiredContainerType, McpServerConnectionDetails.class)) {
			return false;
		}
		boolean anyType = source.accepts(ANY_CONNECTION_NAME, requiredContainerType, Declared.class);
		return !anyType || !isKnownToOthers(source);
	}

	@Override
	ConnectionDetails getEachContainerConnectionDetails(ContainerConnectionSource<GenericContainer<?>> source) {
		return new McpContainerConnectionDetails(source);
	}

	@SuppressWarnings({ "rawtypes", "unchecked" })
	private static boolean isKnownToOthers(ContainerConnectionSource<GenericContainer<?>> source) {
		List<ConnectionDetailsFactory> factories = SpringFactoriesLoader.forDefaultResourceLocation()
			.load(ConnectionDetailsFactory.class, FailureHandler.logging(logger));
		return factories.stream()
			.filter((factory) -> factory instanceof ContainerConnectionDetailsFactory
					&& !(factory instanceof McpContainerConnectionDetailsFactory) && isUsable(factory))
			.anyMatch((factory) -> factory.getConnectionDetails(source) != null);
	}

	// factories for absent types of containers would accept any container, and Spring
	// Boot skips them
	private static boolean isUsable(ConnectionDetailsFactory<?, ?> factory) {
		return ResolvableType.forClass(ConnectionDetailsFactory.class, factory.getClass()).resolveGeneric(0) != null;
	}

	/**
	 * The type that is declared to Boot, of which there is no bean.
	 */
	interface Declared extends ConnectionDetails {

	}

	private static final class McpContainerConnectionDetails extends ContainerConnectionDetails<GenericContainer<?>>
			implements McpServerConnectionDetails {

		private final String name;

		private McpContainerConnectionDetails(ContainerConnectionSource<GenericContainer<?>> source) {
			super(source);
			this.name = name(source);
		}

		@Override
		public String getName() {
			return this.name;
		}

		@Override
		public URI getUrl() {
			GenericContainer<?> container = getContainer();
			return URI.create(((getSslBundle() != null) ? "https" : "http") + "://" + container.getHost() + ":"
					+ container.getFirstMappedPort());
		}

		@Override
		public @Nullable SslBundle getSslBundle() {
			return super.getSslBundle();
		}

		/**
		 * Spring Boot does not expose the name of a connection.
		 */
		private static String name(ContainerConnectionSource<?> source) {
			Method getter = ReflectionUtils.findMethod(ContainerConnectionSource.class, "getConnectionName");
			Assert.state(getter != null, "This version of Spring Boot has no name of a service connection");
			ReflectionUtils.makeAccessible(getter);
			Object name = ReflectionUtils.invokeMethod(getter, source);
			Assert.state(name != null, () -> source + " has no name. Write @ServiceConnection(\"name\").");
			return name.toString();
		}

	}

}
