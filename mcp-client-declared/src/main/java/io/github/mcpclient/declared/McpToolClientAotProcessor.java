package io.github.mcpclient.declared;

import java.lang.reflect.Method;

import javax.lang.model.element.Modifier;

import io.github.mcpclient.declared.DeclaredParameters.NamedArguments;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aot.generate.GeneratedMethod;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.aot.BeanRegistrationCode;
import org.springframework.beans.factory.aot.BeanRegistrationCodeFragments;
import org.springframework.beans.factory.aot.BeanRegistrationCodeFragmentsDecorator;
import org.springframework.beans.factory.support.InstanceSupplier;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.ResolvableType;
import org.springframework.javapoet.ClassName;
import org.springframework.javapoet.CodeBlock;

/**
 * Generates the code that creates the proxies of declared clients, and the hints that
 * they need in a native image.
 */
final class McpToolClientAotProcessor implements BeanRegistrationAotProcessor {

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		return (bean.getMergedBeanDefinition().getAttribute(McpToolClientRegistrar.DECLARED) != null)
				? new Contribution(bean.getBeanClass()) : null;
	}

	private record Contribution(Class<?> type) implements BeanRegistrationAotContribution {

		@Override
		public BeanRegistrationCodeFragments customizeBeanRegistrationCodeFragments(GenerationContext generation,
				BeanRegistrationCodeFragments fragments) {
			return new ProxyFragments(fragments, this.type);
		}

		@Override
		public void applyTo(GenerationContext generation, BeanRegistrationCode code) {
			RuntimeHints hints = generation.getRuntimeHints();
			hints.proxies().registerJdkProxy(this.type);
			// where it is validated, for instance
			hints.proxies().registerJdkProxy(AopProxyUtils.completeJdkProxyInterfaces(this.type));
			for (Method method : this.type.getMethods()) {
				hints.reflection().registerMethod(method, ExecutableMode.INVOKE);
			}
			for (DeclaredTool tool : DeclaredClient.of(this.type).tools()) {
				bind(hints, tool.result());
				bind(hints, tool.whole());
				tool.arguments().forEach((argument) -> bind(hints, argument.type()));
			}
			bind(hints, ResolvableType.forClass(NamedArguments.class));
		}

		private static void bind(RuntimeHints hints, @Nullable ResolvableType type) {
			if (type != null) {
				new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), type.getType());
			}
		}

	}

	private static final class ProxyFragments extends BeanRegistrationCodeFragmentsDecorator {

		private final Class<?> type;

		private ProxyFragments(BeanRegistrationCodeFragments fragments, Class<?> type) {
			super(fragments);
			this.type = type;
		}

		@Override
		public ClassName getTarget(RegisteredBean bean) {
			return ClassName.get(this.type);
		}

		@Override
		public CodeBlock generateInstanceSupplierCode(GenerationContext generation, BeanRegistrationCode code,
				boolean allowDirectSupplierShortcut) {
			GeneratedMethod create = code.getMethods().add("createClient", (method) -> {
				method.addJavadoc("Create the proxy of {@link $T}.", this.type);
				method.addModifiers(Modifier.PRIVATE, Modifier.STATIC);
				method.addParameter(RegisteredBean.class, "registeredBean");
				method.returns(Object.class);
				method.addStatement("return registeredBean.getBeanFactory().getBean($T.class).create($T.class)",
						McpToolClientFactory.class, this.type);
			});
			return CodeBlock.of("$T.of($L)", InstanceSupplier.class, create.toMethodReference().toCodeBlock());
		}

	}

}
