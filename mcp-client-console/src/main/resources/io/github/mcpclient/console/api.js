/* The application: its responses, its events, and whether it is available. */

import { clock } from './dom.js';

const BASE = 'mcp-console/api/';

/* A stream has a comment every 10 seconds: a silent stream is broken. */
const SILENCE = 25000;

function failure(status, message) {
	return Object.assign(new Error(message), { status });
}

export let session = {};

export async function loadSession() {
	session = await get('session');
	clock(session.time);
	return session;
}

export function writable() {
	return session.access === 'unrestricted';
}

export const READ_ONLY = 'This console is read-only: mcp.console.access=unrestricted lets it call tools, and manage servers.';

/** Attributes of a button that writes: disabled where that is not allowed. */
export function gate() {
	return writable() ? {} : { disabled: true, 'aria-describedby': 'read-only' };
}

export async function get(path, signal) {
	return answer(await request(path, { signal }));
}

export async function post(path, body, signal) {
	return answer(await send('POST', path, body, signal));
}

export async function cancel(id) {
	return answer(await send('DELETE', `calls/${encodeURIComponent(id)}`));
}

function send(method, path, body, signal) {
	return request(path, { method, signal, body: JSON.stringify(body), headers: {
		'X-MCP-Console': '1', 'Content-Type': 'application/json', ...(session.csrf && { [session.csrf.header]: session.csrf.token })
	} });
}

async function request(path, options) {
	try {
		return await fetch(BASE + path, { cache: 'no-store', ...options });
	}
	catch (error) {
		throw error.name === 'AbortError' ? error : failure(0, 'The application does not respond. Check that it is running.');
	}
}

async function answer(response) {
	const body = /json/.test(response.headers.get('Content-Type')) ? await response.json() : undefined;
	if (!response.ok || (!body && response.status !== 204)) {
		// a page instead of data may be a login
		const hint = [200, 401, 403].includes(response.status) ? ': you may be signed out, or lack access. Reload the page' : '';
		throw failure(response.status, body?.error ?? `The application returned HTTP ${response.status}${hint}.`);
	}
	return body;
}

/** Reads a call's events until it ends; `on(event, data)`. */
export async function call(path, body, signal, on) {
	await events(await send('POST', path, body, signal), on);
}

async function events(response, on, heard = () => {}) {
	if (!response.ok || !/event-stream/.test(response.headers.get('Content-Type') ?? '')) {
		await answer(response);
		throw failure(response.status, 'The application did not return events.');
	}
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	let rest = '';
	let event = '';
	let data = [];
	for (;;) {
		const { value, done } = await reader.read();
		if (done) {
			return;
		}
		heard();
		if (!value.includes('\n')) {
			rest += value;
			continue;
		}
		const lines = (rest + value).split(/\r?\n/);
		rest = lines.pop();
		for (const line of lines) {
			const [, field, content] = /^([^:]*):? ?([^]*)$/.exec(line);
			if (line === '') {
				if (data.length) {
					on(event || 'message', JSON.parse(data.join('\n')));
				}
				event = '';
				data = [];
			}
			else if (field === 'event') {
				event = content;
			}
			else if (field === 'data') {
				data.push(content);
			}
		}
	}
}

/** The stream of all servers: it reports interruptions, and reconnects. */
export async function live(on, changed) {
	let attempt = 0;
	for (;;) {
		// a hidden page frees its place for others
		while (document.hidden) {
			await new Promise((done) => document.addEventListener('visibilitychange', done, { once: true }));
		}
		const control = new AbortController();
		let timer;
		const heard = () => {
			clearTimeout(timer);
			timer = setTimeout(() => control.abort(), SILENCE);
		};
		let reason = 'The connection to the application was lost';
		heard();
		try {
			if (attempt > 0) {
				await loadSession();
			}
			await events(await request('events', { signal: control.signal }), (event, data) => {
				if (event === 'servers') {
					attempt = 0;
					clock(data.time);
					on(data);
					changed({ live: true });
				}
			}, heard);
		}
		catch (error) {
			reason = (error.status === undefined) ? reason : error.message;
		}
		clearTimeout(timer);
		control.abort();
		const delay = Math.min(15, 2 ** attempt++) * (0.75 + Math.random() / 2);
		changed({ live: false, reason, retry: Date.now() + delay * 1000 });
		await new Promise((resolve) => setTimeout(resolve, delay * 1000));
		changed({ live: false, reason, retry: 0 });
	}
}
