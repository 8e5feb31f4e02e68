package io.github.mcpclient.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.Tree.Kind;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;

/**
 * The texts in the source of the product, as the compiler reads them.
 */
public final class SourceTexts {

	private static final Path SOURCES = Path.of("src/main/java/io/github/mcpclient");

	private SourceTexts() {
	}

	/**
	 * Read the texts of a package.
	 * @param name its name below that of the product; empty for the product's own
	 * @return the texts, of which each variant of a condition is one
	 */
	public static List<Text> of(String name) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (Stream<Path> files = Files.list(SOURCES.resolve(name.replace('.', '/')));
				StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
			List<Path> sources = files.filter((file) -> file.toString().endsWith(".java")).sorted().toList();
			JavacTask task = (JavacTask) compiler.getTask(null, manager, null, null, null,
					manager.getJavaFileObjectsFromPaths(sources));
			List<Text> texts = new ArrayList<>();
			for (CompilationUnitTree source : task.parse()) {
				new Scanner(texts).scan(source, null);
			}
			return texts;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<String> variants(Tree expression) {
		if (expression instanceof LiteralTree literal
				&& (literal.getValue() instanceof String || literal.getValue() instanceof Character)) {
			return List.of(literal.getValue().toString());
		}
		if (expression instanceof ParenthesizedTree parentheses) {
			return variants(parentheses.getExpression());
		}
		if (expression instanceof ConditionalExpressionTree condition) {
			return Stream
				.concat(variants(condition.getTrueExpression()).stream(),
						variants(condition.getFalseExpression()).stream())
				.toList();
		}
		if (expression instanceof BinaryTree sum && sum.getKind() == Kind.PLUS) {
			return variants(sum.getLeftOperand()).stream()
				.flatMap((left) -> variants(sum.getRightOperand()).stream().map((right) -> left + right))
				.toList();
		}
		return List.of("...");
	}

	private static boolean isText(Tree expression) {
		if (expression instanceof BinaryTree sum) {
			return sum.getKind() == Kind.PLUS && (isText(sum.getLeftOperand()) || isText(sum.getRightOperand()));
		}
		if (expression instanceof ParenthesizedTree parentheses) {
			return isText(parentheses.getExpression());
		}
		if (expression instanceof ConditionalExpressionTree condition) {
			return isText(condition.getTrueExpression()) || isText(condition.getFalseExpression());
		}
		return expression instanceof LiteralTree literal && literal.getValue() instanceof String;
	}

	/**
	 * A text.
	 *
	 * @param text the text, in which {@code ...} stands for what varies
	 * @param user what is called with it, such as {@code this.logger.debug} or
	 * {@code new IllegalStateException}, or the method in which it stands
	 */
	public record Text(String text, String user) {
	}

	private static final class Scanner extends TreePathScanner<Void, Void> {

		private final List<Text> texts;

		Scanner(List<Text> texts) {
			this.texts = texts;
		}

		@Override
		public Void visitBinary(BinaryTree expression, Void parameter) {
			return isText(expression) ? add(expression) : super.visitBinary(expression, parameter);
		}

		@Override
		public Void visitConditionalExpression(ConditionalExpressionTree expression, Void parameter) {
			return isText(expression) ? add(expression) : super.visitConditionalExpression(expression, parameter);
		}

		@Override
		public Void visitLiteral(LiteralTree literal, Void parameter) {
			return isText(literal) ? add(literal) : null;
		}

		@Override
		public Void visitAnnotation(AnnotationTree annotation, Void parameter) {
			return null;
		}

		private Void add(Tree expression) {
			String user = user();
			variants(expression).forEach((text) -> this.texts.add(new Text(text, user)));
			return null;
		}

		private String user() {
			for (TreePath path = getCurrentPath().getParentPath(); path != null; path = path.getParentPath()) {
				Tree tree = path.getLeaf();
				if (tree instanceof MethodInvocationTree call) {
					return call.getMethodSelect().toString();
				}
				if (tree instanceof NewClassTree creation) {
					return "new " + creation.getIdentifier();
				}
				if (tree instanceof MethodTree method) {
					return method.getName().toString();
				}
			}
			return "";
		}

	}

}
