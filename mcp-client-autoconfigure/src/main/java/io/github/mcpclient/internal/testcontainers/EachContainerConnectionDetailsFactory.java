package io.github.mcpclient.internal.testcontainers;

import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/**
 * Makes connection details for each of several containers. Boot registers one bean of the
 * type that a factory declares, and skips a second one; hence the type that is declared
 * is not that of the beans.
 *
 * @param <D> the type that is declared, of which there must be no bean
 */
abstract class EachContainerConnectionDetailsFactory<D extends ConnectionDetails>
		extends ContainerConnectionDetailsFactory<GenericContainer<?>, D> {

	@Override
	@SuppressWarnings("unchecked") // nobody casts to what D is
	protected @Nullable D getContainerConnectionDetails(ContainerConnectionSource<GenericContainer<?>> source) {
		return (D) getEachContainerConnectionDetails(source);
	}

	abstract ConnectionDetails getEachContainerConnectionDetails(ContainerConnectionSource<GenericContainer<?>> source);

}
