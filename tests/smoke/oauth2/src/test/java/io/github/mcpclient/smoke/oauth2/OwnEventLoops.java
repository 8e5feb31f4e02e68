package io.github.mcpclient.smoke.oauth2;

import java.time.Duration;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * Event loops of an application's own: those that are shared end with the first
 * application in this JVM that is stopped.
 */
@Configuration(proxyBeanMethods = false)
class OwnEventLoops {

	@Bean
	ReactorResourceFactory reactorResources() {
		ReactorResourceFactory resources = new ReactorResourceFactory();
		resources.setUseGlobalResources(false);
		resources.setShutdownQuietPeriod(Duration.ZERO);
		return resources;
	}

}
