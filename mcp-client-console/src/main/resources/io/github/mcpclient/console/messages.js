/* The last messages on the wire, a request and its response together. */

import { get } from './api.js';
import { e, exact, h, segmented } from './dom.js';
import { bytes, encode, millis, plain } from './text.js';
import { textual, unfold } from './value.js';

const KINDS = ['request', 'response', 'error', 'notification'];

const MAX_KEPT = 1000, MAX_DRAWN = 200;

export function messagesPanel(panel, name) {
	const pairs = [];
	const open = new Map();
	const kinds = new Set(KINDS);
	let latest = 0;
	let closed = false;
	let timer;
	const list = h('ol', { class: 'messages', 'aria-label': 'Messages, latest first' });
	const status = h('p', { class: 'muted', role: 'status' });
	panel.replaceChildren(segmented('Kinds of messages', KINDS.map((kind) => [kind, `${kind}s`, true, { 'data-kind': kind }]), (kind, button) => {
		kinds.delete(kind) || kinds.add(kind);
		button.setAttribute('aria-pressed', String(kinds.has(kind)));
		draw();
		return false;
	}), status, list);

	async function load() {
		try {
			const answer = await get(`servers/${encode(name)}/messages?after=${latest}`);
			if (answer.latest < latest) {
				// the application was restarted
				pairs.length = 0;
				open.clear();
			}
			latest = answer.latest;
			answer.messages.forEach(add);
			if (answer.messages.length || !status.firstChild) {
				draw();
			}
		}
		catch (error) {
			status.textContent = error.message;
		}
		if (!closed) {
			timer = setTimeout(load, 2000);
		}
	}

	/* Both sides number requests: an ID needs its direction. */
	function add(message) {
		const request = message.kind === 'request';
		const key = `${(message.direction === 'sent') === request} ${message.id}`;
		const pair = (message.kind === 'response' || message.kind === 'error') && open.get(key);
		if (pair) {
			pair.push(message);
			pair.element?.append(line(message, pair[0]));
			open.delete(key);
			return;
		}
		const begun = [message];
		pairs.unshift(begun);
		request && open.set(key, begun);
		pairs.splice(MAX_KEPT);
		open.size > MAX_KEPT && open.delete(open.keys().next().value);
	}

	/* Existing messages are not moved: they stay open and keep the focus. */
	function draw() {
		const found = pairs.filter((pair) => pair.some((message) => kinds.has(message.kind)));
		const elements = found.slice(0, MAX_DRAWN).map((pair) => (pair.element ??= e('li.pair', pair.map((message, index) => line(message, index && pair[0])))));
		const keep = new Set(elements);
		[...list.children].forEach((child) => keep.has(child) || child.remove());
		elements.forEach((element, index) => list.children[index] === element || list.insertBefore(element, list.children[index] ?? null));
		status.textContent = !pairs.length ? 'No messages yet.' : !found.length ? 'No message matches the filter.'
			: `${elements.length} of ${pairs.length} exchanges`;
	}

	load();
	return {
		close() {
			closed = true;
			clearTimeout(timer);
		}
	};
}

function line(message, request) {
	const { kind, seq, time, direction, method, id, size } = message;
	return unfold([h('time', { datetime: time, title: exact(time) }, new Date(time).toTimeString().slice(0, 8) + time.slice(19, 23)), direction === 'sent' ? ' → sent ' : ' ← received ', e(kind === 'error' ? 'span.tag.bad' : 'span.tag', kind), ' ',
		method && e('code', plain(method, 120)), ' ', e('span.muted', id !== undefined && `#${id}`, ` ${bytes(size)}`, request && `, after ${millis(Date.parse(time) - Date.parse(request.time))}`)],
	() => e('div.body', textual(message.text), message.truncated && e('p.muted', 'Truncated: only the beginning was recorded.')), { class: 'message', 'data-message': kind, 'data-seq': seq });
}
