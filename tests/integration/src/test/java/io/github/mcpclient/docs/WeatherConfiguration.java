package io.github.mcpclient.docs;

import io.github.mcpclient.declared.ImportMcpToolClients;

import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
@ImportMcpToolClients(Weather.class)
class WeatherConfiguration {

	@Bean
	ApplicationRunner report(Weather weather) {
		return (args) -> System.out.println(weather.forecast("Paris", null).degrees());
	}

}
