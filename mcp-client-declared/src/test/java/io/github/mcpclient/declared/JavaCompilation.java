package io.github.mcpclient.declared;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compiles source with the class path of the tests, without a warning.
 */
final class JavaCompilation {

	private JavaCompilation() {
	}

	/**
	 * Compile clients, each in a package of its own, and load them. There are no types
	 * but these and those in them.
	 */
	static List<Class<?>> compile(Path folder, McpToolClientSource... sources) throws Exception {
		List<Source> files = new ArrayList<>();
		for (McpToolClientSource source : sources) {
			files.add(new Source("p" + files.size(), source));
		}
		compile(folder, files);
		ClassLoader loader = new URLClassLoader(new URL[] { folder.toUri().toURL() },
				JavaCompilation.class.getClassLoader());
		List<Class<?>> clients = new ArrayList<>();
		for (Source file : files) {
			try (Stream<Path> classes = Files.list(folder.resolve(file.folder))) {
				assertThat(classes).as(file.text)
					.allMatch((type) -> type.getFileName().toString().matches(file.type + "([$].*)?\\.class"));
			}
			clients.add(loader.loadClass(file.folder + "." + file.type));
		}
		return clients;
	}

	private static void compile(Path folder, List<Source> sources) throws IOException {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(diagnostics, null, null)) {
			compiler
				.getTask(null, files, diagnostics, List.of("-d", folder.toString(), "-proc:none", "-parameters",
						"-Xlint:all", "-Xdoclint:all,-missing"), null, sources)
				.call();
		}
		assertThat(diagnostics.getDiagnostics()).isEmpty();
	}

	private static final class Source extends SimpleJavaFileObject {

		private final String folder;

		private final String type;

		private final String text;

		Source(String folder, McpToolClientSource source) {
			super(URI.create("memory:///" + folder + "/" + source.typeName() + ".java"), Kind.SOURCE);
			this.folder = folder;
			this.type = source.typeName();
			this.text = source.text(folder);
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.text;
		}

	}

}
