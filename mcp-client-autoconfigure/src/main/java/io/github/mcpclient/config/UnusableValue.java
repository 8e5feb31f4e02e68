package io.github.mcpclient.config;

/**
 * Stands for a value of an imported file that cannot be used. It matters only if the
 * server is enabled and nothing else overrides the property.
 *
 * @param message what is wrong and what would be right: sentences, without secrets
 */
public record UnusableValue(String message) {

	@Override
	public String toString() {
		// never taken for a value
		return "(" + this.message + ")";
	}

}
