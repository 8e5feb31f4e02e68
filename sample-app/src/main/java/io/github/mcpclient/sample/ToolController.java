package io.github.mcpclient.sample;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolResult;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Lists the tools of all servers and calls them.
 */
@RestController
@RequestMapping("/tools")
class ToolController {

	private final McpToolCatalog tools;

	ToolController(McpToolCatalog tools) {
		this.tools = tools;
	}

	@GetMapping
	List<ToolSummary> list() {
		return this.tools.all().stream().map(ToolSummary::of).toList();
	}

	@GetMapping("/{name}")
	ToolDetails show(@PathVariable String name) {
		return ToolDetails.of(this.tools.get(name));
	}

	@PostMapping("/{name}")
	CallResult call(@PathVariable String name,
			@RequestBody(required = false) @Nullable Map<String, @Nullable Object> arguments) {
		return CallResult.of(this.tools.get(name).call((arguments != null) ? arguments : Map.of()));
	}

	@JsonInclude(Include.NON_NULL)
	record ToolSummary(String name, String server, @Nullable String description, boolean available) {

		static ToolSummary of(McpTool tool) {
			return new ToolSummary(tool.name(), tool.serverName(), tool.description(), tool.available());
		}

	}

	@JsonInclude(Include.NON_NULL)
	record ToolDetails(String name, String server, String originalName, @Nullable String title,
			@Nullable String description, boolean available, @Nullable ToolAnnotations annotations,
			Map<String, @Nullable Object> inputSchema, @Nullable Map<String, @Nullable Object> outputSchema) {

		static ToolDetails of(McpTool tool) {
			return new ToolDetails(tool.name(), tool.serverName(), tool.originalName(), tool.title(),
					tool.description(), tool.available(), tool.annotations(), tool.inputSchema(), tool.outputSchema());
		}

	}

	@JsonInclude(Include.NON_NULL)
	record CallResult(String text, @Nullable Object structuredContent, boolean isError) {

		static CallResult of(McpToolResult result) {
			return new CallResult(result.text(), result.structuredContent(), result.isError());
		}

	}

}
