package io.github.mcpclient.internal.testcontainers;

import org.testcontainers.containers.Container;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/**
 * Stands for Boot's own factories: it knows containers named {@code cache}.
 */
class CacheConnectionDetailsFactory
		extends ContainerConnectionDetailsFactory<Container<?>, CacheConnectionDetailsFactory.CacheConnectionDetails> {

	CacheConnectionDetailsFactory() {
		super("cache");
	}

	@Override
	protected CacheConnectionDetails getContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
		return new CacheConnectionDetails(source);
	}

	static final class CacheConnectionDetails extends ContainerConnectionDetails<Container<?>>
			implements ConnectionDetails {

		private CacheConnectionDetails(ContainerConnectionSource<Container<?>> source) {
			super(source);
		}

	}

}
