package io.github.mcpclient.reload;

import java.util.function.Supplier;

import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.SmartApplicationListener;

/**
 * Reloads the configuration when Spring Cloud has changed the environment of the
 * application. References the event of Spring Cloud by name only.
 */
final class EnvironmentChangeListener implements SmartApplicationListener {

	static final String EVENT = "org.springframework.cloud.context.environment.EnvironmentChangeEvent";

	private final Supplier<Mono<?>> reload;

	EnvironmentChangeListener(Supplier<Mono<?>> reload) {
		this.reload = reload;
	}

	@Override
	public boolean supportsEventType(Class<? extends ApplicationEvent> type) {
		return type.getName().equals(EVENT);
	}

	@Override
	public void onApplicationEvent(ApplicationEvent event) {
		// the reloader logs and publishes failures
		this.reload.get().onErrorComplete().subscribe();
	}

}
