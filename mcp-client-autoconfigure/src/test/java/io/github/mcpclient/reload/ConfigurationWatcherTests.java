package io.github.mcpclient.reload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ConfigurationWatcher} and {@link ConfigurationFiles}, on the changes
 * that people, editors and Kubernetes make.
 */
class ConfigurationWatcherTests {

	private ReloadedFiles files;

	@TempDir
	private Path directory;

	@BeforeEach
	void createApplication() {
		this.files = new ReloadedFiles(this.directory);
	}

	@Test
	void whatHasChangedIsReadOnce() {
		this.files.write("application.yml", "a: 1");
		this.files.start();
		assertThat(this.files.twoLooks()).isZero();
		this.files.write("application.yml", "a: 22");
		assertThat(this.files.twoLooks()).isOne();
		assertThat(this.files.property("a")).isEqualTo("22");
		assertThat(this.files.twoLooks()).isZero();
	}

	@Test
	void whatIsBeingWrittenIsLeftAlone() {
		this.files.write("application.yml", "a: 1");
		this.files.start();
		for (String part : new String[] { "a", "a: [", "a: 222" }) {
			this.files.write("application.yml", part);
			this.files.look();
		}
		assertThat(this.files.reloads()).isZero();
		this.files.look();
		assertThat(this.files.reloads()).isOne();
		assertThat(this.files.property("a")).isEqualTo("222");
	}

	@Test
	void fileThatTakesThePlaceOfAnotherIsRead() throws IOException {
		Path file = this.files.write("application.yml", "a: 1");
		this.files.start();
		Path copy = this.files.write("application.yml~", "a: 2");
		// the time and the size are those of the file that was there
		Files.setLastModifiedTime(copy, Files.getLastModifiedTime(file));
		Files.move(copy, file, StandardCopyOption.ATOMIC_MOVE);
		assertThat(this.files.twoLooks()).isOne();
		assertThat(this.files.property("a")).isEqualTo("2");
	}

	@Test
	void fileOfAConfigMapIsRead() throws IOException {
		this.files.mount("mount", "2026_11_27_1", "servers.yml", "a: 1");
		this.files.argument("spring.config.import", this.directory.resolve("mount/servers.yml").toString());
		this.files.start();
		this.files.mount("mount", "2026_11_27_2", "servers.yml", "a: 2");
		assertThat(this.files.twoLooks()).isOne();
		assertThat(this.files.property("a")).isEqualTo("2");
	}

	@Test
	void treeOfASecretIsRead() throws IOException {
		this.files.mount("mount", "2026_11_27_1", "token", "s3cret");
		this.files.write("application.yml", "spring.config.import: configtree:" + this.directory
				+ "/mount/\nmcp.servers.a.headers.Authorization: ${token}");
		this.files.start();
		this.files.mount("mount", "2026_11_27_2", "token", "t0ken2");
		assertThat(this.files.twoLooks()).isOne();
		assertThat(this.files.property("mcp.servers.a.headers.Authorization")).isEqualTo("t0ken2");
		ReloadedFiles.write(this.directory.resolve("mount/other"), "1");
		assertThat(this.files.twoLooks()).isOne();
		assertThat(this.files.property("other")).isEqualTo("1");
	}

	@Test
	void fileThatIsAbsentForAWhileIsAMistakeUntilItIsBack() throws IOException {
		Path file = this.files.write("servers.yml", "a: 1");
		this.files.argument("spring.config.import", file.toString()).start();
		Files.delete(file);
		assertThat(this.files.twoLooks()).isOne();
		assertThat(this.files.failure()).hasMessageContaining("servers.yml").hasMessageContaining("cannot be found");
		assertThat(this.files.twoLooks()).isZero();
		this.files.write("servers.yml", "a: 2");
		assertThat(this.files.twoLooks()).isOne();
		assertThat(this.files.failure()).isNull();
		assertThat(this.files.property("a")).isEqualTo("2");
	}

	@Test
	void mistakeIsNamedByItsPlaceAndMended() {
		this.files.write("application.yml", "a: 1");
		this.files.start();
		this.files.write("application.yml", "a: 1\nb:\n  token: *s3cret\n");
		assertThat(this.files.twoLooks()).isOne();
		assertThat(this.files.failure()).hasMessageContaining("application.yml: The file cannot be read (line 3")
			.hasMessageNotContaining("s3cret")
			.hasNoCause();
		assertThat(this.files.twoLooks()).isZero();
		this.files.write("application.yml", "a: 1\nb: mended");
		assertThat(this.files.twoLooks()).isOne();
		assertThat(this.files.property("b")).isEqualTo("mended");
	}

	@Test
	void whatIsNewlyImportedAndMissingIsNoticedWhenItComes() {
		this.files.write("application.yml", "a: 1");
		this.files.start();
		for (String location : new String[] { "file:" + this.directory + "/more.yml",
				"configtree:" + this.directory + "/tree/" }) {
			this.files.write("application.yml", "spring.config.import: " + location);
			assertThat(this.files.twoLooks()).isOne();
			assertThat(this.files.failure()).hasMessageContaining(location);
			this.files.write(location.contains("tree") ? "tree/b" : "more.yml", "b: 2");
			assertThat(this.files.twoLooks()).isOne();
			assertThat(this.files.failure()).isNull();
		}
	}

	@Test
	void whatIsOptionalIsNoticedWhenItComes() {
		this.files.write("config/x/unrelated", "");
		this.files
			.argument("spring.config.location",
					"optional:" + this.directory.toUri() + ",optional:" + this.directory.toUri() + "config/*/")
			.argument("spring.profiles.active", "prod")
			.argument("spring.config.import",
					"optional:file:" + this.directory + "/more.yml,optional:configtree:" + this.directory + "/tree/")
			.argument("mcp.servers.a.env-file", this.directory + "/some.env")
			.argument("mcp.defaults.envFile", "${DIRECTORY}/other.env")
			.argument("DIRECTORY", this.directory.toString())
			.start();
		for (String file : Set.of("application.yml", "application-prod.yml", "application.properties", "more.yml",
				"config/x/application.yml", "tree/sub/c")) {
			this.files.write(file, "b: " + file);
			assertThat(this.files.twoLooks()).as(file).isOne();
		}
		for (String file : Set.of("some.env", "other.env")) {
			this.files.write(file, "A=1");
			assertThat(this.files.twoLooks()).as(file).isOne();
		}
		assertThat(this.files.property("tree.sub.c")).isNull();
		assertThat(this.files.property("sub.c")).isEqualTo("b: tree/sub/c");
		this.files.write("unrelated.yml", "c: 1");
		assertThat(this.files.twoLooks()).isZero();
	}

	@Test
	void whatWasReadByOthersIsNotReadAgain() {
		this.files.write("application.yml", "a: 1");
		this.files.start();
		this.files.write("application.yml", "a: 22");
		this.files.look();
		this.files.fresh().get();
		assertThat(this.files.twoLooks()).isZero();
	}

	@Test
	void watchesOnOneThreadThatNoExceptionEnds() throws InterruptedException {
		this.files.write("application.yml", "a: 1");
		this.files.start();
		AtomicReference<Thread> thread = new AtomicReference<>();
		CountDownLatch failure = new CountDownLatch(1);
		CountDownLatch failures = new CountDownLatch(3);
		ConfigurationWatcher watcher = new ConfigurationWatcher(this.files.fresh(), () -> {
			thread.set(Thread.currentThread());
			failure.countDown();
			failures.countDown();
			throw new IllegalStateException("test");
		}, Duration.ofMillis(1));
		assertThat(watcher.isRunning()).isFalse();
		watcher.start();
		// the file is younger than the machine
		assertThat(failure.await(10, TimeUnit.SECONDS)).isTrue();
		this.files.write("application.yml", "a: 22");
		assertThat(failures.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(thread.get().getName()).isEqualTo("mcp-watching-1");
		assertThat(thread.get().isDaemon()).isTrue();
		watcher.stop();
		assertThat(watcher.isRunning()).isFalse();
		thread.get().join(10_000);
		assertThat(thread.get().isAlive()).isFalse();
	}

}
