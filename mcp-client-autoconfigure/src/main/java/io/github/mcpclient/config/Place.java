package io.github.mcpclient.config;

import io.github.mcpclient.config.InvalidMcpConfigurationException.Problem;

/**
 * Where the settings of a server stand, so that a mistake can be told with its place.
 */
interface Place {

	/**
	 * Word a mistake in one setting.
	 * @param setting the name of the setting
	 * @param message what is wrong
	 * @return the mistake
	 */
	Problem problem(String setting, String message);

	/**
	 * Word a mistake in an entry of a map.
	 * @param map the name of the map
	 * @param key the key of the entry
	 * @param message what is wrong
	 * @return the mistake
	 */
	Problem problem(String map, String key, String message);

}
