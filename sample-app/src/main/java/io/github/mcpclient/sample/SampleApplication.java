package io.github.mcpclient.sample;

import io.github.mcpclient.declared.ImportMcpToolClients;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The sample application.
 */
@SpringBootApplication
@ImportMcpToolClients
public class SampleApplication {

	/**
	 * Start the application.
	 * @param args the command line arguments
	 */
	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

}
