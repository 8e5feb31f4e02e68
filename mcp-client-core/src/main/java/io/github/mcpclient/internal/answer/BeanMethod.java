package io.github.mcpclient.internal.answer;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * An annotated method of a bean, which is not created before the method is first called.
 *
 * @param servers the names of the servers that it applies to, or empty for all
 * @param ours whether the annotation is part of this library
 */
record BeanMethod(ConfigurableListableBeanFactory beanFactory, String bean, Method method, Set<String> servers,
		boolean ours) {

	boolean isFor(String server) {
		return this.servers.isEmpty() || this.servers.contains(server);
	}

	Stream<Class<?>> parameters() {
		return Stream.of(this.method.getParameterTypes());
	}

	@Nullable Object invoke(@Nullable Object... arguments) {
		Object target = this.beanFactory.getBean(this.bean);
		Method invocable = AopUtils.selectInvocableMethod(this.method, target.getClass());
		ReflectionUtils.makeAccessible(invocable);
		return ReflectionUtils.invokeMethod(invocable, target, arguments);
	}

	@Override
	public String toString() {
		return this.method.toString();
	}

}
