package io.github.mcpclient.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An application whose rules ask for an approval.
 */
@SpringBootApplication
class ShopApplication {

}
