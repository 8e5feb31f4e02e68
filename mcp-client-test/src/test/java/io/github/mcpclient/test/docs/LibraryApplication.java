package io.github.mcpclient.test.docs;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The application that docs/testing.md tests.
 */
@SpringBootApplication
class LibraryApplication {

}
