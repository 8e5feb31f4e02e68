package io.github.mcpclient.testsupport;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * The auto-configurations of an application that has this client and no web server. All
 * those on the class path of the tests cost more than most tests.
 */
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration
@interface ClientAutoConfigurations {

}
