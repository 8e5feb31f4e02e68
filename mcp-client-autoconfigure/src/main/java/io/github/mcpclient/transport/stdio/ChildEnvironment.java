package io.github.mcpclient.transport.stdio;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.github.mcpclient.McpServerDefinition.Stdio;

/**
 * Decides which variables of the application's environment a child process sees. Unless
 * all are asked for, only names that programs cannot do without and that hold no secrets.
 */
final class ChildEnvironment {

	private static final Set<String> UNIX = Set.of("PATH", "HOME", "LANG", "LANGUAGE", "TERM", "TZ", "USER", "LOGNAME",
			"SHELL", "TMPDIR");

	private static final Set<String> WINDOWS = Set.of("PATH", "PATHEXT", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR",
			"COMSPEC", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432",
			"TEMP", "TMP", "USERNAME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "PROCESSOR_ARCHITECTURE",
			"NUMBER_OF_PROCESSORS", "OS", "TZ", "LANG");

	private ChildEnvironment() {
	}

	static Map<String, String> of(Stdio stdio, Map<String, String> parent, boolean windows) {
		// on Windows names differ by more than case only
		Map<String, String> environment = windows ? new TreeMap<>(String.CASE_INSENSITIVE_ORDER)
				: new LinkedHashMap<>();
		parent.forEach((name, value) -> {
			if (stdio.inheritEnvironment() || isHarmless(name, value, windows)) {
				environment.put(name, value);
			}
		});
		environment.putAll(stdio.env());
		return environment;
	}

	private static boolean isHarmless(String name, String value, boolean windows) {
		if (windows) {
			return WINDOWS.contains(name.toUpperCase(Locale.ROOT));
		}
		// a value that starts so is a function, exported by a shell
		return (UNIX.contains(name) || name.startsWith("LC_")) && !value.startsWith("()");
	}

}
