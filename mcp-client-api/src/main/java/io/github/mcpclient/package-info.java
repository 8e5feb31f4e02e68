/**
 * The API of the MCP client: servers, their tools, and what calls return.
 *
 * <p>
 * What contacts or changes a server has two forms, by one rule everywhere:
 * <ul>
 * <li>{@code x()} waits for the result, for a limited time. It throws an
 * {@link java.lang.IllegalStateException} on a thread that must not block, such as an
 * event loop, before anything is done; and an
 * {@link io.github.mcpclient.McpInterruptedException} if the thread is interrupted while
 * it waits.
 * <li>{@code xAsync()} returns a {@link reactor.core.publisher.Mono}, with which nothing
 * begins before it is subscribed to. Each subscription is one operation, on the thread
 * that subscribes until something is waited for; it never blocks. All that {@code x()}
 * throws arrives as an error signal, mistakes in arguments and unknown names included. To
 * cancel the subscription cancels a request at the server; a change of servers, once it
 * has begun, goes on.
 * </ul>
 * No other method starts work and returns a publisher of it.
 *
 * <p>
 * Values have accessors in the style of records, such as {@code name()}; exceptions have
 * getters, as {@link java.lang.Throwable} has them.
 */
@NullMarked
package io.github.mcpclient;

import org.jspecify.annotations.NullMarked;
