package io.github.mcpclient.console;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.regex.Pattern;

import io.github.mcpclient.testsupport.TestDefaults;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.ScriptTimeoutException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Chromium, started once for all tests of a JVM. A test fails if the browser has reported
 * an error meanwhile: an exception of a script, a violation of the content security
 * policy, a request that failed.
 */
final class Browser implements BeforeEachCallback, AfterTestExecutionCallback {

	// what conditions find elements with. Their text is that of their label, if they have
	// one, and a number may follow it, of what they hold
	private static final String TOOLS = """
			const shown = (element) => element.checkVisibility({visibilityProperty: true});
			const text = (element) => (element.getAttribute("aria-label") || element.innerText || "").trim();
			const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
			const within = (outer, selector, name) => all(outer)
				.flatMap((element) => [...element.querySelectorAll(selector)].filter(shown))
				.find((element) => text(element) === name || text(element).replace(/\\s*\\(?\\d+\\)?$/, "") === name);
			const press = (element) => {
				if (!element || element.disabled) {
					return false;
				}
				element.scrollIntoView({block: "nearest", inline: "nearest"});
				const box = element.getBoundingClientRect();
				const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
				if (!element.contains(hit)) {
					return false;
				}
				element.focus();
				element.click();
				return true;
			};
			""";

	/**
	 * A name that leads to this machine, as that of an attacker may after a while.
	 */
	static final String REBOUND = "rebound.example";

	private static @Nullable ChromeDriver driver;

	private final List<Pattern> expected = new ArrayList<>();

	@Override
	public void beforeEach(ExtensionContext context) {
		if (driver == null) {
			driver = start();
			// closed after the last test of all
			context.getRoot().getStore(Namespace.create(Browser.class)).put("driver", (AutoCloseable) driver::quit);
		}
	}

	private static ChromeDriver start() {
		ChromeOptions options = new ChromeOptions();
		options.setBinary(installed("chromium"));
		options.addArguments("--headless=new", "--window-size=1280,900", "--disable-gpu", "--disable-dev-shm-usage",
				"--disable-extensions", "--disable-background-networking", "--disable-component-update",
				"--disable-sync", "--disable-breakpad", "--no-first-run", "--no-default-browser-check", "--mute-audio",
				"--force-prefers-reduced-motion", "--renderer-process-limit=2",
				// nothing asks anybody but us
				"--host-resolver-rules=MAP " + REBOUND
						+ " 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1");
		if ("root".equals(System.getProperty("user.name"))) {
			options.addArguments("--no-sandbox");
		}
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		options.setCapability("goog:loggingPrefs", logs);
		ChromeDriverService service = new ChromeDriverService.Builder()
			.usingDriverExecutable(new File(installed("chromedriver")))
			.build();
		ChromeDriver driver = new ChromeDriver(service, options);
		driver.manage().timeouts().scriptTimeout(TestDefaults.LIMIT);
		return driver;
	}

	private static String installed(String program) {
		String found = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
			.map((folder) -> Path.of(folder, program))
			.filter(Files::isExecutable)
			.map(Path::toString)
			.findFirst()
			.orElse(null);
		boolean required = Boolean.parseBoolean(System.getenv("CI"));
		Assumptions.assumeTrue(required || found != null, program + " is not installed");
		assertThat(found).as(program).isNotNull();
		return found;
	}

	ChromeDriver driver() {
		assertThat(driver).isNotNull();
		return driver;
	}

	/**
	 * Open a page anew, with nothing left of the one before.
	 */
	void open(String url) {
		String before = driver().getCurrentUrl();
		driver().get(url);
		if (before != null && before.replaceFirst("#.*", "").equals(url.replaceFirst("#.*", ""))) {
			// only its fragment has changed
			driver().navigate().refresh();
		}
	}

	/**
	 * Go to another part of the page, as its links do: a tenth of the processor time that
	 * it takes to open it anew.
	 * @param fragment the part, which is not shown now
	 */
	void go(String fragment) {
		driver().executeAsyncScript("""
				const [fragment, done] = arguments;
				addEventListener('hashchange', function shown({newURL}) {
					if (newURL === location.href) {
						removeEventListener('hashchange', shown);
						// the page has listened before
						done();
					}
				});
				location.hash = fragment;
				""", fragment);
	}

	/**
	 * Expect an error of the browser's, such as that of a request that is refused.
	 */
	void expectError(String pattern) {
		this.expected.add(Pattern.compile(pattern));
	}

	/**
	 * Wait for the first visible element.
	 */
	WebElement find(String selector) {
		return (WebElement) await("all(values[0])[0]", selector);
	}

	/**
	 * Wait for a visible element of this name.
	 */
	WebElement find(String selector, String name) {
		return (WebElement) await("within('body', values[0], values[1])", selector, name);
	}

	/**
	 * Click as a hand does, which takes a tenth of a second of processor time.
	 */
	void click(String selector) {
		find(selector).click();
	}

	/**
	 * Press a button, tab or link by its name, if a hand could: nothing covers it, and it
	 * is enabled.
	 */
	void press(String name) {
		press("body", name);
	}

	/**
	 * Press what is in an element.
	 */
	void press(String within, String name) {
		await("press(within(values[0], 'button, a, summary, [role=tab], [role=button]', values[1]))", within, name);
	}

	/**
	 * Wait for text that is visible.
	 */
	void see(String text) {
		see("body", text);
	}

	/**
	 * Wait for text that is visible in an element.
	 */
	void see(String selector, String text) {
		await("all(values[0]).some((element) => element.innerText.includes(values[1]))", selector, text);
	}

	/**
	 * Replace what is in a field.
	 */
	void type(String selector, String text) {
		WebElement field = find(selector);
		field.sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE);
		field.sendKeys(text);
	}

	/**
	 * Press a key, in whatever has the focus.
	 */
	void key(CharSequence key) {
		new Actions(driver()).sendKeys(key).perform();
	}

	List<WebElement> all(String selector) {
		return driver().findElements(By.cssSelector(selector));
	}

	/**
	 * Wait until an expression is true in the page, looked at whenever the page changes.
	 * @param expression with {@code values}, and {@code all(selector)}, which finds what
	 * is visible
	 * @return what the expression yields
	 */
	Object await(String expression, Object... values) {
		try {
			Object result = driver().executeAsyncScript(
					TOOLS + """
							const done = arguments[arguments.length - 1];
							const values = arguments[0];
							const test = () => %s;
							let timer, observer;
							const look = () => {
								const result = test();
								if (result) {
									clearInterval(timer);
									observer.disconnect();
									done(result);
								}
								return result;
							};
							observer = new MutationObserver(look);
							if (!look()) {
								observer.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
								timer = setInterval(look, 200);
							}
							"""
						.formatted(expression),
					List.of(values));
			assertThat(result).isNotNull();
			return result;
		}
		catch (ScriptTimeoutException ex) {
			throw new AssertionError("Never: " + expression + " of " + List.of(values) + "\n\nThe page shows:\n"
					+ driver().executeScript("return location + '\\n' + document.body.innerText.slice(0, 5000)"));
		}
	}

	/**
	 * Evaluate an expression now.
	 */
	@Nullable Object now(String expression, Object... values) {
		return driver().executeScript(TOOLS + "const values = arguments[0]; return " + expression, List.of(values));
	}

	/**
	 * Show the page in another size, until the end of the test.
	 */
	void size(int width, int height) {
		command("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
	}

	/**
	 * Show the page as {@code light} or {@code dark}.
	 */
	void scheme(String scheme) {
		command("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
	}

	Map<String, Object> command(String name, Map<String, Object> parameters) {
		return driver().executeCdpCommand(name, parameters);
	}

	/**
	 * Leave the page, before what the test has opened is closed.
	 */
	@Override
	public void afterTestExecution(ExtensionContext context) {
		if (driver == null) {
			return;
		}
		List<String> errors = driver.manage()
			.logs()
			.get(LogType.BROWSER)
			.getAll()
			.stream()
			.filter((entry) -> entry.getLevel().intValue() >= Level.WARNING.intValue())
			.map(LogEntry::getMessage)
			// asked for when a page is already gone, if that had no icon
			.filter((message) -> !message.contains("/favicon.ico "))
			.filter((message) -> this.expected.stream().noneMatch((pattern) -> pattern.matcher(message).find()))
			.toList();
		command("Emulation.clearDeviceMetricsOverride", Map.of());
		scheme("light");
		driver.get("about:blank");
		assertThat(errors).as("errors of the browser").isEmpty();
	}

}
