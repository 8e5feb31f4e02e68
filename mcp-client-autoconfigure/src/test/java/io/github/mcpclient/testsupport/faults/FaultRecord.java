package io.github.mcpclient.testsupport.faults;

import java.util.List;

import io.github.mcpclient.testsupport.faults.FaultRecorder.Outcome;

/**
 * How one invocation of a test ended, and what it proves: a line of the record.
 *
 * @param outcome how it ended
 * @param className the class of the test
 * @param method the method
 * @param kind what is survived
 * @param transport over which transport
 * @param within the recovery bound in seconds, or 0 if the test states none
 * @param cycles how often the fault was met, or 0 if the test does not tell
 */
record FaultRecord(Outcome outcome, String className, String method, FaultKind kind, Transport transport, int within,
		int cycles) {

	String toLine() {
		return String.join("\t", List.of(this.outcome.name(), this.className, this.method, this.kind.name(),
				this.transport.name(), Integer.toString(this.within), Integer.toString(this.cycles))) + "\n";
	}

	static FaultRecord of(String line) {
		String[] fields = line.split("\t");
		return new FaultRecord(Outcome.valueOf(fields[0]), fields[1], fields[2], FaultKind.valueOf(fields[3]),
				Transport.valueOf(fields[4]), Integer.parseInt(fields[5]), Integer.parseInt(fields[6]));
	}

	Test test() {
		return new Test(this.className, this.method);
	}

	/**
	 * A test.
	 *
	 * @param className its class
	 * @param method its method
	 */
	record Test(String className, String method) implements Comparable<Test> {

		String simpleName() {
			return this.className.substring(this.className.lastIndexOf('.') + 1) + "." + this.method;
		}

		String file() {
			String outer = this.className.contains("$") ? this.className.substring(0, this.className.indexOf('$'))
					: this.className;
			return outer.replace('.', '/') + ".java";
		}

		@Override
		public int compareTo(Test other) {
			return simpleName().compareTo(other.simpleName());
		}

	}

}
