package io.github.mcpclient.docs.guide;

import java.util.Map;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class GuideApplication {

	public static void main(String[] args) {
		SpringApplication.run(GuideApplication.class, args);
	}

	@Bean
	ApplicationRunner calls(McpToolCatalog tools, @Qualifier("everything_echo") McpTool echo) {
		return (args) -> {
			tools.all().forEach((tool) -> System.out.println(tool.name()));
			System.out.println(echo.call(Map.of("message", "hello")).orThrow().text());
			System.out.println(tools.get("everything_get-sum").call(Map.of("a", 2, "b", 3)).orThrow().text());
		};
	}

}
