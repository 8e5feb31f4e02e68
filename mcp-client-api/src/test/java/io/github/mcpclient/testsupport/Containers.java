package io.github.mcpclient.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.github.dockerjava.api.exception.NotFoundException;
import org.junit.jupiter.api.Assumptions;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.ImageFromDockerfile;

/**
 * Real MCP servers in containers.
 */
public final class Containers {

	public static final int PORT = 3001;

	private Containers() {
	}

	/**
	 * A container with {@code server-everything}, not started yet. Skips the test where
	 * there is no Docker, unless the environment says that there must be one.
	 * @param mode {@code streamableHttp} or {@code sse}
	 */
	public static GenericContainer<?> everything(String mode) {
		Assumptions.assumeTrue(isAvailable(), "Docker cannot be reached: this test needs it");
		return new GenericContainer<>(Image.EVERYTHING).withCommand(mode)
			.withExposedPorts(PORT)
			.waitingFor(Wait.forListeningPorts(PORT));
	}

	/**
	 * A container with {@code supergateway}, which offers the same server over WebSocket
	 * at the path {@code /message}.
	 */
	public static GenericContainer<?> gateway() {
		return everything("").withCreateContainerCmdModifier((container) -> container.withEntrypoint("node"))
			.withCommand("/server/node_modules/supergateway/dist/index.js", "--stdio",
					"node /server/node_modules/@modelcontextprotocol/server-everything/dist/index.js stdio",
					"--outputTransport", "ws", "--port", Integer.toString(PORT));
	}

	/**
	 * The name of the image with {@code server-everything}.
	 */
	public static String image() {
		return Image.EVERYTHING;
	}

	/**
	 * Whether there is what the containers need. Fails where the environment says that it
	 * must be there.
	 */
	public static boolean isAvailable() {
		boolean available = DockerClientFactory.instance().isDockerAvailable();
		if (!available && Boolean.parseBoolean(System.getenv("MCP_TESTS_REQUIRE_DOCKER"))) {
			throw new IllegalStateException("Docker is required here, and cannot be reached");
		}
		return available && Peers.isInstalled("server-everything");
	}

	/**
	 * Built when its servers have changed: sending them is expensive.
	 */
	private static final class Image {

		private static final String DOCKERFILE = """
				FROM node:22-slim
				COPY node_modules /server/node_modules
				ENV PORT=%d
				ENTRYPOINT ["node", "/server/node_modules/@modelcontextprotocol/server-everything/dist/index.js"]
				""".formatted(PORT);

		static final String EVERYTHING = Unchecked.get(Image::everything);

		private static String everything() throws IOException {
			Path modules = Path.of(Peers.script("server-everything")).getParent().getParent().getParent().getParent();
			String content = DOCKERFILE + Files.readString(modules.resolve(".package-lock.json"));
			String name = "mcp-client-tests/server-everything:" + Integer.toHexString(content.hashCode());
			try {
				DockerClientFactory.instance().client().inspectImageCmd(name).exec();
				return name;
			}
			catch (NotFoundException ex) {
				return new ImageFromDockerfile(name, false).withFileFromPath("node_modules", modules)
					.withFileFromString("Dockerfile", DOCKERFILE)
					.get();
			}
		}

	}

}
