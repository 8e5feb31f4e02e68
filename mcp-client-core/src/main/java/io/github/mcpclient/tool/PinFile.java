package io.github.mcpclient.tool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

import io.github.mcpclient.spi.McpToolPinStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.Resource;

/**
 * Keeps approved tools in a file that people can review. As git does, whoever changes it
 * creates a second file, which no other can at that time, and moves that over it: readers
 * see the old or the new one.
 */
final class PinFile implements McpToolPinStore {

	private static final int VERSION = 1;

	private static final int MAX_SIZE = 256 * 1024 * 1024;

	// around a definition
	private static final int LEVELS = 4;

	private static final Pattern HASH = Pattern.compile("sha256:[0-9a-f]{64}");

	private static final Logger logger = LoggerFactory.getLogger(PinFile.class);

	// names that are there twice could hide one from a reader
	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
		.build();

	private final Resource file;

	// other writers of this application are waited for
	private final Lock lock = new ReentrantLock();

	private volatile @Nullable Content known;

	// where that was told, or is expected
	private volatile boolean missing;

	/**
	 * Create an instance for a file.
	 * @param expected whether it should be there
	 */
	PinFile(Resource file, boolean expected) {
		this.file = file;
		this.missing = !expected;
	}

	@Override
	public Collection<ApprovedTool> approved(String serverName) {
		List<ApprovedTool> tools = new ArrayList<>();
		try {
			object(read().get(serverName)).forEach((name, tool) -> tools.add(tool(name, object(tool))));
			return tools;
		}
		catch (IOException ex) {
			throw failure("cannot be read", ex);
		}
	}

	private ApprovedTool tool(String name, Map<String, Object> tool) {
		String hash = String.valueOf(tool.get("hash"));
		if (!HASH.matcher(hash).matches()) {
			throw damaged("tool '" + name + "' has no hash");
		}
		if (!tool.containsKey("definition")) {
			return new ApprovedTool(name, hash, null);
		}
		// what was reviewed must be what is approved
		PinnedDefinition definition = new PinnedDefinition(object(tool.get("definition")));
		if (!name.equals(definition.fields().get("name")) || !hash.equals(definition.hash())) {
			throw damaged("the definition of tool '" + name + "' does not have its hash");
		}
		return new ApprovedTool(name, hash, definition.json());
	}

	@Override
	public void approve(String serverName, Collection<ApprovedTool> tools) {
		try {
			this.lock.lockInterruptibly();
		}
		catch (InterruptedException ex) {
			throw new CancellationException("It took too long");
		}
		try {
			replace(serverName, tools);
		}
		catch (IOException ex) {
			throw failure("cannot be written", ex);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void replace(String serverName, Collection<ApprovedTool> tools) throws IOException {
		Path path = path();
		Path next = path.resolveSibling(path.getFileName() + ".new");
		FileChannel channel = create(next);
		try {
			try (channel) {
				write(serverName, tools, channel);
			}
			move(next, path);
		}
		catch (Throwable ex) {
			// once it is moved, one of this name is another writer's
			Files.deleteIfExists(next);
			throw ex;
		}
	}

	private void write(String serverName, Collection<ApprovedTool> tools, FileChannel channel) throws IOException {
		Map<String, Object> servers = new TreeMap<>(read());
		Map<String, Object> server = new TreeMap<>(object(servers.get(serverName)));
		tools.forEach((tool) -> server.put(tool.name(), entry(tool)));
		servers.put(serverName, server);
		ByteBuffer text = StandardCharsets.UTF_8
			.encode(CanonicalJson.pretty(Map.of("servers", servers, "version", VERSION), 0, MAX_SIZE) + "\n");
		while (text.hasRemaining()) {
			channel.write(text);
		}
		channel.force(true);
	}

	private Path path() throws IOException {
		Path path = this.file.getFile().toPath().toAbsolutePath();
		return Files.exists(path) ? path.toRealPath() : path;
	}

	private static FileChannel create(Path next) throws IOException {
		try {
			return FileChannel.open(next, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
		}
		catch (FileAlreadyExistsException ex) {
			throw new IOException(
					"'" + next.getFileName()
							+ "' is there: another process writes it now, or has ended while it did. Delete it then",
					ex);
		}
	}

	private static void move(Path next, Path path) throws IOException {
		try {
			Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
		}
		catch (AtomicMoveNotSupportedException ex) {
			Files.move(next, path, StandardCopyOption.REPLACE_EXISTING);
		}
	}

	private static Map<String, Object> entry(ApprovedTool tool) {
		Map<String, Object> entry = new LinkedHashMap<>();
		entry.put("hash", tool.hash());
		if (tool.definition() != null) {
			PinnedDefinition definition = PinnedDefinition.of(tool.definition());
			if (CanonicalJson.pretty(definition.fields(), LEVELS, PinnedDefinition.LONGEST_TEXT) != null) {
				entry.put("definition", definition.fields());
			}
		}
		return entry;
	}

	// returns the servers
	private Map<String, Object> read() throws IOException {
		Stamp stamp = this.file.isFile() ? Stamp.of(this.file.getFile().toPath()) : Stamp.NONE;
		Content known = this.known;
		if (known != null && stamp != null && known.stamp().equals(stamp)) {
			return known.servers();
		}
		if (!this.file.exists()) {
			if (!this.missing) {
				logger.warn("The lock file of MCP tools does not exist, and no tool is approved ({})", this.file);
			}
			this.missing = true;
			return Map.of();
		}
		this.missing = false;
		Map<String, Object> servers = parse();
		this.known = (stamp != null) ? new Content(stamp, servers) : null;
		return servers;
	}

	private Map<String, Object> parse() throws IOException {
		byte[] text;
		try (InputStream content = this.file.getInputStream()) {
			text = content.readNBytes(MAX_SIZE);
		}
		Map<String, Object> root;
		try {
			root = object(MAPPER.readValue(text, Object.class));
		}
		catch (JacksonException ex) {
			throw damaged("it is not valid JSON");
		}
		if (!Integer.valueOf(VERSION).equals(root.get("version"))) {
			throw damaged("it does not have \"version\": " + VERSION);
		}
		return object(root.get("servers"));
	}

	@SuppressWarnings("unchecked")
	private Map<String, Object> object(@Nullable Object value) {
		if (value != null && !(value instanceof Map)) {
			throw damaged("a value that is not an object is where there must be one");
		}
		return (value != null) ? (Map<String, Object>) value : Map.of();
	}

	private IllegalStateException damaged(String reason) {
		return new IllegalStateException("The lock file of MCP tools is damaged, " + reason + " (" + this.file + ")");
	}

	private IllegalStateException failure(String problem, IOException cause) {
		return new IllegalStateException(
				"The lock file of MCP tools " + problem + ": " + cause + " (" + this.file + ")", cause);
	}

	/**
	 * What the file had.
	 */
	private record Content(Stamp stamp, Map<String, Object> servers) {
	}

	/**
	 * Tells one content of the file from another.
	 */
	private record Stamp(long modified, long size, String key) {

		static final Stamp NONE = new Stamp(0, 0, "");

		static @Nullable Stamp of(Path path) {
			try {
				BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
				return new Stamp(attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS), attributes.size(),
						String.valueOf(attributes.fileKey()));
			}
			catch (IOException ex) {
				return null;
			}
		}

	}

}
