package io.github.mcpclient.internal.testcontainers;

import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/**
 * Creates connection details for each of several containers. Spring Boot registers only
 * one bean of the type that a factory declares, so the declared type is different from
 * the type of the beans.
 *
 * @param <D> the declared type, of which there must be no bean
 */
abstract class EachContainerConnectionDetailsFactory<D extends ConnectionDetails>
		extends ContainerConnectionDetailsFactory<GenericContainer<?>, D> {

	@Override
	@SuppressWarnings("unchecked") // no caller casts to D
	protected @Nullable D getContainerConnectionDetails(ContainerConnectionSource<GenericContainer<?>> source) {
		return (D) getEachContainerConnectionDetails(source);
	}

	abstract ConnectionDetails getEachContainerConnectionDetails(ContainerConnectionSource<GenericContainer<?>> source);

}
