package io.github.mcpclient.internal.transport;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.github.mcpclient.spi.TransportException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * Messages on their way to a server that has one stream for all of them, bounded in
 * bytes. Knows at the end which of them the server cannot have seen. Safe for use by many
 * threads.
 */
public final class OutboundQueue {

	// the size that is added for each message, so that their number is limited
	private static final int OVERHEAD = 256;

	private final long capacity;

	private final String full;

	private final String nextStep;

	private final Scheduler scheduler;

	private final Runnable added;

	// A set, since any of them may be cancelled. Guards all that follows.
	private final Set<Message> waiting = new LinkedHashSet<>();

	// being written, or were when the connection broke
	private final Set<Message> writing = new HashSet<>();

	private long size;

	private @Nullable TransportException refusal;

	/**
	 * Create a queue.
	 * @param capacity how many bytes may wait
	 * @param full the message when the queue is full, such as "The server does not read"
	 * @param nextStep the advice for the operator then
	 * @param scheduler fails the waiting messages at the end
	 * @param added run when there is something to write, on the thread that sends
	 */
	public OutboundQueue(long capacity, String full, String nextStep, Scheduler scheduler, Runnable added) {
		this.capacity = capacity;
		this.full = full;
		this.nextStep = nextStep;
		this.scheduler = scheduler;
		this.added = added;
	}

	/**
	 * Add a message. Cancelling the sink takes it out of the queue, unless it is already
	 * being written.
	 */
	public void add(byte[] json, MonoSink<Void> sink) {
		Message message = new Message(json, sink);
		TransportException problem = enqueue(message);
		if (problem != null) {
			sink.error(problem);
		}
		else {
			sink.onCancel(() -> cancel(message));
			this.added.run();
		}
	}

	private @Nullable TransportException enqueue(Message message) {
		synchronized (this.waiting) {
			if (this.refusal != null) {
				return this.refusal.notSent();
			}
			// a message that is larger than all of the queue may go alone
			if (!this.waiting.isEmpty() && this.size + message.cost() > this.capacity) {
				return new TransportException(this.full + ": " + backlog(), this.nextStep, false, null);
			}
			this.waiting.add(message);
			this.size += message.cost();
			return null;
		}
	}

	private String backlog() {
		int count = this.waiting.size();
		String size = " (" + ((this.size < 1024) ? this.size + " bytes" : this.size / 1024 + " KB") + ") ";
		return (count == 1) ? "1 message" + size + "waits to be written"
				: count + " messages" + size + "wait to be written";
	}

	private void cancel(Message message) {
		synchronized (this.waiting) {
			this.size -= this.waiting.remove(message) ? message.cost() : 0;
			this.writing.remove(message);
		}
	}

	/**
	 * Take the next messages to write; none if none wait.
	 */
	public List<Message> take(int max) {
		synchronized (this.waiting) {
			List<Message> messages = this.waiting.stream().limit(max).toList();
			messages.forEach((message) -> {
				this.waiting.remove(message);
				this.size -= message.cost();
			});
			this.writing.addAll(messages);
			return messages;
		}
	}

	/**
	 * Complete messages that were written, unless they failed before.
	 */
	public void written(List<Message> messages) {
		synchronized (this.waiting) {
			if (this.refusal != null) {
				return;
			}
			messages.forEach(this.writing::remove);
		}
		messages.forEach((message) -> message.sink().success());
	}

	/**
	 * Refuse all further messages, and fail the waiting messages; messages that are being
	 * written may have reached the server.
	 */
	public void refuse(TransportException reason) {
		List<Message> unsent;
		List<Message> interrupted;
		synchronized (this.waiting) {
			if (this.refusal != null) {
				return;
			}
			this.refusal = reason;
			unsent = List.copyOf(this.waiting);
			interrupted = List.copyOf(this.writing);
			this.waiting.clear();
			this.size = 0;
		}
		if (!unsent.isEmpty() || !interrupted.isEmpty()) {
			// subscribers run their own code, and this may be the thread of a reader
			this.scheduler.schedule(() -> {
				unsent.forEach((message) -> message.sink().error(reason.notSent()));
				interrupted.forEach((message) -> message.sink().error(reason));
			});
		}
	}

	/**
	 * A message to be sent. Two are never equal, since each has its own sink.
	 */
	public record Message(byte[] json, MonoSink<Void> sink) {

		long cost() {
			return this.json.length + OVERHEAD;
		}

	}

}
