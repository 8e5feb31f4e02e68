package io.github.mcpclient.docs.guide;

import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.declared.ImportMcpToolClients;
import io.github.mcpclient.declared.McpToolClient;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
@ImportMcpToolClients
public class GuideApplication {

	public static void main(String[] args) {
		SpringApplication.run(GuideApplication.class, args);
	}

	@Bean
	ApplicationRunner calls(Everything everything, McpToolCatalog tools) {
		return (args) -> {
			tools.all().forEach((tool) -> System.out.println(tool.name()));
			System.out.println(everything.echo("hello"));
			System.out.println(everything.getSum(2, 3));
			System.out.println(everything.getStructuredContent("Chicago").conditions());
		};
	}

	@McpToolClient("everything")
	interface Everything {

		String echo(String message);

		String getSum(int a, int b);

		Weather getStructuredContent(String location);

		record Weather(double temperature, String conditions, double humidity) {
		}

	}

}
