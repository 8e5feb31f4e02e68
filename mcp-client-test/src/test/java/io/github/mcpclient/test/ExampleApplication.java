package io.github.mcpclient.test;

import io.github.mcpclient.declared.ImportMcpToolClients;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An application that searches.
 */
@SpringBootApplication
@ImportMcpToolClients(DeclaredClientTests.Search.class)
class ExampleApplication {

}
