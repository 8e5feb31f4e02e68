package io.github.mcpclient.slice;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.handler.McpElicitation;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import reactor.core.publisher.Mono;

import org.springframework.ai.mcp.annotation.McpToolListChanged;
import org.springframework.stereotype.Component;

/**
 * The components of the application.
 */
final class ShopComponents {

	private ShopComponents() {
	}

	@Component
	static class Approval implements McpToolApproval {

		@Override
		public Mono<Decision> decide(McpTool tool, McpToolRequest request) {
			return Mono.just(Decision.deny("the shop is closed"));
		}

	}

	@Component
	static class Callers implements McpCallerIdentity {

		@Override
		public Mono<String> identify() {
			return Mono.just("anna");
		}

	}

	@Component
	static class Questions {

		@McpElicitation(clients = "shop")
		ElicitResult ask(ElicitRequest request) {
			return ElicitResult.builder(ElicitResult.Action.DECLINE).build();
		}

	}

	@Component
	static class Lists {

		final Queue<String> names = new ConcurrentLinkedQueue<>();

		@McpToolListChanged(clients = "shop")
		void changed(List<Tool> tools) {
			tools.forEach((tool) -> this.names.add(tool.name()));
		}

	}

	@Component
	static class Warehouse {

	}

}
