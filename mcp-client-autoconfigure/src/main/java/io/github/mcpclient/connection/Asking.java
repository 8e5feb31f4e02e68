package io.github.mcpclient.connection;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.util.context.ContextView;

/**
 * Subscribes to headers, which may block the thread that does so. Who disposes of it
 * interrupts that thread, though not beyond the end of {@link #run()}.
 */
final class Asking implements Runnable, Disposable {

	private static final Logger logger = LoggerFactory.getLogger(Asking.class);

	private static final Object NEW = new Object();

	private static final Object INTERRUPTING = new Object();

	private static final Object DONE = new Object();

	private final Mono<Map<String, String>> headers;

	private final ContextView context;

	private final MonoSink<Map<String, String>> sink;

	private final Disposable.Swap subscription = Disposables.swap();

	/**
	 * One of the above, or the thread that runs this.
	 */
	private final AtomicReference<Object> state = new AtomicReference<>(NEW);

	Asking(Mono<Map<String, String>> headers, ContextView context, MonoSink<Map<String, String>> sink) {
		this.headers = headers;
		this.context = context;
		this.sink = sink;
	}

	@Override
	public void run() {
		Thread thread = Thread.currentThread();
		if (!this.state.compareAndSet(NEW, thread)) {
			return;
		}
		try {
			this.subscription
				.update(this.headers.contextWrite(this.context).subscribe(this.sink::success, this::failed));
		}
		catch (Throwable ex) {
			// fatal to Reactor, such as a missing class, and not told by it
			failed(ex);
		}
		finally {
			if (!this.state.compareAndSet(thread, DONE)) {
				forgetInterruption();
			}
		}
	}

	private void failed(Throwable failure) {
		if (this.subscription.isDisposed()) {
			logger.debug("Nobody waits any more for the headers that failed", failure);
		}
		else {
			this.sink.error(failure);
		}
	}

	private void forgetInterruption() {
		while (this.state.get() == INTERRUPTING) {
			Thread.onSpinWait();
		}
		Thread.interrupted();
	}

	@Override
	public void dispose() {
		this.subscription.dispose();
		if (!this.state.compareAndSet(NEW, DONE) && this.state.get() instanceof Thread thread
				&& thread != Thread.currentThread() && this.state.compareAndSet(thread, INTERRUPTING)) {
			thread.interrupt();
			this.state.set(DONE);
		}
	}

}
