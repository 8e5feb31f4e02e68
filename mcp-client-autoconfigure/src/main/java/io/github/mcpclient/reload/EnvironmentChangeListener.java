package io.github.mcpclient.reload;

import java.util.function.Supplier;

import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.SmartApplicationListener;

/**
 * Reloads the configuration when Spring Cloud has changed the application's environment.
 * Knows its event by name only.
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
		// what fails is logged and published by the reloader
		this.reload.get().onErrorComplete().subscribe();
	}

}
