package io.github.mcpclient.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import io.github.mcpclient.config.PropertyGroup.Unknown;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.internal.support.Printable;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.PropertySource;

/**
 * Reports properties that do not exist: as an error if the property is in a file of the
 * application or on its command line, and as a warning if it is in another source, which
 * other applications may share.
 */
final class UnknownProperties {

	private static final Log logger = LogFactory.getLog(UnknownProperties.class);

	// Kubernetes sets such variables for a service whose name begins with mcp
	private static final Pattern OF_KUBERNETES = Pattern
		.compile(".*_(SERVICE_(HOST|PORT(_.*)?)|PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

	private static final int MOST_NAMES = 10;

	private static final int LONGEST_NAME = 128;

	private final Set<String> ignored = new LinkedHashSet<>();

	private final Set<String> warnings = new LinkedHashSet<>();

	void check(UnaryOperator<String> name, List<Unknown> properties, List<Problem> problems) {
		for (Unknown unknown : properties) {
			if (isOfApplication(unknown)) {
				problems.add(new Problem(name.apply(unknown.setting()),
						"There is no such property." + suggestion(unknown, " Did you mean ", "?"),
						unknown.property().origin()));
			}
			else {
				ignore(unknown);
			}
		}
	}

	/**
	 * Report the errors and warnings of a group.
	 * @param misplaced whether a misplaced target counts
	 */
	void report(PropertyGroup group, boolean misplaced, List<Problem> problems) {
		check(group::property,
				group.unknown()
					.stream()
					.filter((unknown) -> misplaced || !ServerSettingsValidator.isMisplaced(unknown))
					.toList(),
				problems);
		problems.addAll(group.problems());
		group.warnings().forEach(this::warn);
	}

	void ignore(Unknown unknown) {
		String name = unknown.property().name();
		if (!OF_KUBERNETES.matcher(name).matches()) {
			this.ignored.add(Printable.line(name, LONGEST_NAME) + suggestion(unknown, " (did you mean ", "?)"));
		}
	}

	private static String suggestion(Unknown unknown, String before, String after) {
		return (unknown.nearest() != null) ? before + unknown.nearest() + after : "";
	}

	private static boolean isOfApplication(Unknown unknown) {
		PropertySource<?> source = unknown.property().source();
		return source.getName().equals(CommandLinePropertySource.COMMAND_LINE_PROPERTY_SOURCE_NAME)
				|| (unknown.property().origin().getOrigin() instanceof TextResourceOrigin
						&& !ImportedProperties.isFrom(source));
	}

	void warn(String warning) {
		this.warnings.add(warning);
	}

	private List<String> warnings() {
		List<String> all = new ArrayList<>(this.warnings);
		if (!this.ignored.isEmpty()) {
			all.add("Ignored, since there are no such properties: "
					+ Printable.first(MOST_NAMES, this.ignored, Function.identity()));
		}
		return all;
	}

	/**
	 * Log the warnings, except for warnings that were logged before.
	 * @return all of them
	 */
	List<String> log(Collection<String> before) {
		List<String> all = List.copyOf(warnings());
		all.stream().filter((warning) -> !before.contains(warning)).forEach(logger::warn);
		return all;
	}

}
