package io.github.mcpclient.declared.example;

import io.github.mcpclient.declared.McpToolClient;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

import org.springframework.validation.annotation.Validated;

@Validated
@McpToolClient("echo")
public interface Echo {

	@Size(max = 12)
	String echo(@NotBlank String message);

}
