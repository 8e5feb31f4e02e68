package io.github.mcpclient.autoconfigure;

import io.github.mcpclient.support.ClientScheduler;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The scheduler of timers, queues and signals, and the source of time. None of the
 * application's schedulers, which it may keep busy, is used.
 */
@Configuration(proxyBeanMethods = false)
class McpSchedulerConfiguration {

	@Bean(defaultCandidate = false, destroyMethod = "dispose")
	ClientScheduler mcpScheduler() {
		return ClientScheduler.create();
	}

}
