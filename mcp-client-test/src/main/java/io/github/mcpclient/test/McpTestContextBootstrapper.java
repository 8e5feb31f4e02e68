package io.github.mcpclient.test;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/**
 * Bootstraps the contexts of {@link McpTest}.
 */
class McpTestContextBootstrapper extends TestSliceTestContextBootstrapper<McpTest> {

}
