package io.github.mcpclient.declared;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.declared.DeclaredTool.DeclaredArgument;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link DeclaredClient}.
 */
class DeclaredClientTests {

	private static final DeclaredClient CLIENT = DeclaredClient.of(Weather.class);

	@Test
	void theInterfaceNamesTheServer() {
		assertThat(CLIENT.server()).isEqualTo("weather");
		assertThat(CLIENT.required()).isTrue();
		assertThat(CLIENT.tools())
			.extracting((tool) -> tool.method().getName(), DeclaredTool::name, DeclaredTool::exact)
			.containsExactlyInAnyOrder(tuple("forecast", "forecast", false), tuple("alerts", "get-alerts", true),
					tuple("past", "past", false), tuple("find", "find", false), tuple("all", "all", false));
	}

	@Test
	void parametersAreArgumentsByName() {
		assertThat(tool("forecast").arguments())
			.extracting(DeclaredArgument::name, (argument) -> argument.type().toClass(), DeclaredArgument::optional,
					DeclaredArgument::defaultValue)
			.containsExactly(tuple("city", String.class, false, null), tuple("days", Integer.class, true, 3),
					tuple("unit-of-degrees", Unit.class, true, Unit.CELSIUS), tuple("note", String.class, true, null));
		assertThat(tool("forecast").whole()).isNull();
		assertThat(tool("past").arguments()).extracting(DeclaredArgument::name).containsExactly("day");
		assertThat(tool("all").arguments()).extracting(DeclaredArgument::name).containsExactly("request");
	}

	@Test
	void oneRecordIsAllArguments() {
		assertThat(tool("alerts").arguments()).isEmpty();
		assertThat(tool("alerts").whole().toClass()).isEqualTo(AlertRequest.class);
		assertThat(tool("find").whole().toClass()).isEqualTo(Map.class);
	}

	@Test
	void resultsAreThoseWithinTheirWrappings() {
		assertThat(tool("alerts").result().toString()).isEqualTo("java.util.List<java.lang.String>");
		assertThat(tool("past").result().toClass()).isEqualTo(Integer.class);
		assertThat(tool("find").result().toClass()).isEqualTo(Void.class);
		assertThat(tool("all").result().toClass()).as("a type variable of the parent").isEqualTo(LocalDate.class);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			NoInterface, must be an interface with @McpToolClient
			NotAnnotated, must be an interface with @McpToolClient
			NoServer, must name a server
			NoTools, has no methods that are tools
			TwoTimeouts, two parameters of type Duration
			TwoWholes, a McpToolRequest is all arguments
			SameNames, two parameters are argument 'a'
			ManyResults, 'it returns Flux. A tool has one result: return it as Mono or CompletableFuture'
			OtherFuture, it returns Future
			RawMono, it returns Mono without a type argument
			NoNumber, the default value 'many' of parameter 1 is not a valid Integer
			DefaultOfPrimitive, its default value is unused
			""")
	void mistakesAreToldWithWhatToChange(String type, String message) throws ClassNotFoundException {
		Class<?> declared = Class.forName(Mistakes.class.getName() + "$" + type);
		assertThatIllegalArgumentException().isThrownBy(() -> DeclaredClient.of(declared))
			.withMessageContaining(message)
			.withMessageContaining(declared.getName());
	}

	private static DeclaredTool tool(String method) {
		return CLIENT.tools()
			.stream()
			.filter((tool) -> tool.method().getName().equals(method))
			.findFirst()
			.orElseThrow();
	}

	enum Unit {

		CELSIUS, KELVIN

	}

	record AlertRequest(String region) {
	}

	interface Listing<T> {

		T all(@McpToolArgument AlertRequest request);

	}

	@McpToolClient(value = " weather ", required = true)
	interface Weather extends Listing<LocalDate> {

		String forecast(String city, @McpToolArgument(defaultValue = "3") @Nullable Integer days,
				@McpToolArgument(value = "unit-of-degrees", defaultValue = "CELSIUS") @Nullable Unit unit,
				Optional<String> note, @Nullable Duration timeout, Consumer<ProgressNotification> progress);

		@McpToolCall("get-alerts")
		Mono<List<String>> alerts(AlertRequest request, ContextView context);

		CompletableFuture<Optional<Integer>> past(LocalDate day);

		Mono<Void> find(Map<String, Object> arguments);

		default String tomorrow(String city) {
			return city;
		}

		static String name() {
			return "weather";
		}

		@Override
		String toString();

	}

	static class Mistakes {

		@McpToolClient("a")
		static class NoInterface {

		}

		interface NotAnnotated {

			void call();

		}

		@McpToolClient(" ")
		interface NoServer {

			void call();

		}

		@McpToolClient("a")
		interface NoTools {

		}

		@McpToolClient("a")
		interface TwoTimeouts {

			void call(Duration first, Duration second);

		}

		@McpToolClient("a")
		interface TwoWholes {

			void call(McpToolRequest request, String other);

		}

		@McpToolClient("a")
		interface SameNames {

			void call(String a, @McpToolArgument("a") String b);

		}

		@McpToolClient("a")
		interface ManyResults {

			Flux<String> call();

		}

		@McpToolClient("a")
		interface OtherFuture {

			Future<String> call();

		}

		@SuppressWarnings("rawtypes")
		@McpToolClient("a")
		interface RawMono {

			Mono call();

		}

		@McpToolClient("a")
		interface NoNumber {

			void call(@McpToolArgument(defaultValue = "many") Integer count);

		}

		@McpToolClient("a")
		interface DefaultOfPrimitive {

			void call(@McpToolArgument(defaultValue = "1") int count);

		}

	}

}
