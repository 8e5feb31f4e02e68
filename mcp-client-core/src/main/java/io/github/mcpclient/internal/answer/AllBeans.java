package io.github.mcpclient.internal.answer;

import java.util.List;
import java.util.Objects;

import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/**
 * The injection of all beans of a type, in their order. Unlike a lookup by type, it finds
 * only the proxy of a bean with a scoped proxy, not the bean behind it.
 */
final class AllBeans extends DependencyDescriptor {

	// represents an injection point of the application
	private static final List<Object> BEANS = List.of();

	private final ResolvableType list;

	AllBeans(Class<?> type) {
		super(Objects.requireNonNull(ReflectionUtils.findField(AllBeans.class, "BEANS")), false);
		this.list = ResolvableType.forClassWithGenerics(List.class, type);
	}

	@Override
	public Class<?> getDependencyType() {
		return List.class;
	}

	@Override
	public ResolvableType getResolvableType() {
		return this.list;
	}

}
