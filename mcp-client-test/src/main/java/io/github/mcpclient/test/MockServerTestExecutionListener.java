package io.github.mcpclient.test;

import io.github.mcpclient.management.McpServerManager;
import org.jspecify.annotations.Nullable;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.util.ReflectionUtils;

/**
 * Gives scripted servers to fields of tests, and resets them after each test.
 */
class MockServerTestExecutionListener implements TestExecutionListener {

	@Override
	public void prepareTestInstance(TestContext testContext) {
		MockServers servers = servers(testContext);
		if (servers != null) {
			MockServerDeclaration.injectedFields(testContext.getTestClass()).forEach((field, name) -> {
				ReflectionUtils.makeAccessible(field);
				ReflectionUtils.setField(field, testContext.getTestInstance(), servers.get(name));
			});
		}
	}

	@Override
	public void beforeTestMethod(TestContext testContext) throws InterruptedException {
		MockServers servers = servers(testContext);
		if (servers != null) {
			servers.begin(manager(testContext));
		}
	}

	@Override
	public void afterTestMethod(TestContext testContext) {
		MockServers servers = servers(testContext);
		if (servers != null) {
			servers.end(manager(testContext));
		}
	}

	private static @Nullable McpServerManager manager(TestContext testContext) {
		return testContext.getApplicationContext().getBeanProvider(McpServerManager.class).getIfAvailable();
	}

	private static @Nullable MockServers servers(TestContext testContext) {
		return (testContext.hasApplicationContext()
				&& testContext.getApplicationContext().containsBean(MockServers.BEAN_NAME))
						? testContext.getApplicationContext().getBean(MockServers.BEAN_NAME, MockServers.class) : null;
	}

}
