package io.github.mcpclient.sample;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Logs the first URLs and commands to try.
 */
@Component
class WhereToLook {

	private static final Log logger = LogFactory.getLog(WhereToLook.class);

	@EventListener
	void tell(ApplicationReadyEvent event) {
		String url = "http://localhost:"
				+ event.getApplicationContext().getEnvironment().getProperty("local.server.port");
		logger.info("""
				Ready. Open

				    %1$s/mcp-console

				in a browser, or try

				    curl -s %1$s/dice
				    curl -s %1$s/tools
				    curl -s %1$s/tools/demo_dice_roll -H 'Content-Type: application/json' -d '{"sides": 20}'
				    curl -s %1$s/actuator/mcp
				    curl -s %1$s/actuator/health

				and stop with Ctrl-C.""".formatted(url));
	}

}
