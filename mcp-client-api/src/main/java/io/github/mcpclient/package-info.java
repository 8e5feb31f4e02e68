/**
 * The API of the MCP client: servers, their tools, and the results of calls.
 *
 * <p>
 * Operations that contact or change a server have two forms, by the same rules
 * everywhere:
 * <ul>
 * <li>{@code x()} waits for the result, for a limited time. It throws an
 * {@link java.lang.IllegalStateException}, before it starts the operation, on a thread
 * that must not block, such as an event loop; and an
 * {@link io.github.mcpclient.McpInterruptedException} if the thread is interrupted while
 * it waits.
 * <li>{@code xAsync()} returns a {@link reactor.core.publisher.Mono}. The operation
 * begins when it is subscribed to, once per subscription, and never blocks; it runs on
 * the subscribing thread until it has to wait. All exceptions of {@code x()} arrive as an
 * error signal, including exceptions for invalid arguments and unknown names. Cancelling
 * the subscription cancels a request at the server; a change of servers continues once it
 * has begun.
 * </ul>
 * Only methods whose names end in {@code Async} start operations and return a publisher.
 *
 * <p>
 * Values have accessors in the style of records, such as {@code name()}; exceptions have
 * getters, like {@link java.lang.Throwable}.
 */
@NullMarked
package io.github.mcpclient;

import org.jspecify.annotations.NullMarked;
