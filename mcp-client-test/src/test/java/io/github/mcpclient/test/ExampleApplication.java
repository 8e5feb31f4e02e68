package io.github.mcpclient.test;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An application that searches.
 */
@SpringBootApplication
class ExampleApplication {

}
