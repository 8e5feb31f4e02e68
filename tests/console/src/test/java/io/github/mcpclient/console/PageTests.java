package io.github.mcpclient.console;

import java.io.IOException;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the files of the page.
 */
class PageTests {

	@Test
	void thePageHasAtMostAHundredKibibytes() throws IOException {
		PathMatchingResourcePatternResolver resolver = new PathMatchingResourcePatternResolver();
		long size = 0;
		for (String type : List.of("html", "css", "js", "svg")) {
			Resource[] files = resolver.getResources("classpath*:io/github/mcpclient/console/*." + type);
			assertThat(files).as(type).isNotEmpty();
			for (Resource file : files) {
				size += file.contentLength();
			}
		}
		assertThat(size).as("bytes").isLessThanOrEqualTo(100 * 1024);
	}

}
