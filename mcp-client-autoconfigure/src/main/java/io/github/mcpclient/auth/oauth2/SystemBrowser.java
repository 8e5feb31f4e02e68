package io.github.mcpclient.auth.oauth2;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.github.mcpclient.McpLoginBrowser;

/**
 * The browser of the operating system, opened without a shell.
 */
public final class SystemBrowser implements McpLoginBrowser {

	@Override
	public void open(String serverName, URI url) {
		String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
		List<String> command = system.startsWith("windows") ? List.of("rundll32", "url.dll,FileProtocolHandler")
				: List.of(system.contains("mac") ? "open" : "xdg-open");
		try {
			new ProcessBuilder(Stream.concat(command.stream(), Stream.of(url.toString())).toList())
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
