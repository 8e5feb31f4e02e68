/* The last messages on the wire, a request and its response together. */

import { get } from './api.js';
import { clockTime, h, text } from './dom.js';
import { bytes, encode, json, millis } from './text.js';
import { tree } from './value.js';

const KINDS = ['request', 'response', 'error', 'notification'];

const MAX_KEPT = 1000;

const MAX_DRAWN = 200;

export function messagesPanel(panel, name) {
	const pairs = [];
	const open = new Map();
	const kinds = new Set(KINDS);
	let latest = 0;
	let closed = false;
	let timer;
	const search = h('input', { type: 'search', placeholder: 'Method or text', 'aria-label': 'Filter messages', oninput: () => draw() });
	const pause = h('button', { type: 'button', 'aria-pressed': 'false', onclick: () => pause.setAttribute('aria-pressed', String(pause.getAttribute('aria-pressed') === 'false')) }, 'Pause');
	const list = h('ol', { class: 'messages', 'aria-label': 'Messages, latest first' });
	const status = h('p', { class: 'muted', role: 'status' });
	panel.replaceChildren(h('div', { class: 'bar' }, h('div', { class: 'segmented', role: 'group', 'aria-label': 'Kinds of messages' }, KINDS.map((kind) => h('button', {
		type: 'button', 'data-kind': kind, 'aria-pressed': 'true', onclick: (event) => {
			kinds.has(kind) ? kinds.delete(kind) : kinds.add(kind);
			event.currentTarget.setAttribute('aria-pressed', String(kinds.has(kind)));
			draw();
		}
	}, kind + 's'))), search, pause), status, list);

	async function load() {
		if (pause.getAttribute('aria-pressed') === 'false') {
			try {
				const answer = await get(`servers/${encode(name)}/messages?after=${latest}`);
				if (answer.latest < latest) {
					// another run of the application, which counts anew
					pairs.length = 0;
					open.clear();
				}
				latest = answer.latest;
				answer.messages.forEach(add);
				if (!closed && (answer.messages.length || !list.firstChild)) {
					draw();
				}
			}
			catch (error) {
				status.textContent = error.message;
			}
		}
		if (!closed) {
			timer = setTimeout(load, 2000);
		}
	}

	/* Both sides count their requests, so that an id stands for one only with its direction. */
	function add(message) {
		if (message.kind === 'response' || message.kind === 'error') {
			const key = (message.direction === 'sent' ? 'received ' : 'sent ') + message.id;
			const pair = open.get(key);
			if (pair) {
				pair.push(message);
				pair.element = null;
				open.delete(key);
				return;
			}
		}
		const pair = [message];
		pairs.unshift(pair);
		if (message.kind === 'request') {
			open.set(`${message.direction} ${message.id}`, pair);
		}
		if (pairs.length > MAX_KEPT) {
			pairs.pop();
		}
		if (open.size > MAX_KEPT) {
			open.delete(open.keys().next().value);
		}
	}

	function draw() {
		const wanted = search.value.toLowerCase();
		const found = pairs.filter((pair) => pair.some((message) => kinds.has(message.kind)
			&& (!wanted || `${message.method ?? ''}\n${message.text ?? ''}`.toLowerCase().includes(wanted))));
		const elements = found.slice(0, MAX_DRAWN).map((pair) => (pair.element ??= h('li', { class: 'pair' }, pair.map((message, index) => line(message, index && pair[0])))));
		// those that are there already are not moved: what is open in them stays, and so does the focus
		const keep = new Set(elements);
		[...list.children].forEach((child) => keep.has(child) || child.remove());
		elements.forEach((element, index) => {
			if (list.children[index] !== element) {
				list.insertBefore(element, list.children[index] ?? null);
			}
		});
		status.textContent = found.length ? `${found.length === pairs.length ? '' : `${found.length} of `}${pairs.length} exchanges`
			+ (found.length > MAX_DRAWN ? `, of which the latest ${MAX_DRAWN} are shown` : '')
			: pairs.length ? 'No message matches the filter.' : 'No messages yet.';
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
	const details = h('details', { class: `message ${message.kind}`, 'data-message': message.kind, 'data-seq': message.seq },
		h('summary', null, clockTime(message.time), ' ', h('span', { class: 'direction' }, message.direction === 'sent' ? '\u2192 sent' : '\u2190 received'), ' ',
			h('span', { class: `tag ${message.kind === 'error' ? 'bad' : ''}` }, message.kind), ' ', message.method && h('code', null, message.method), ' ',
			message.id !== undefined && message.id !== null && h('span', { class: 'muted' }, `#${message.id}`), ' ',
			h('span', { class: 'figure muted' }, bytes(message.size), request && `, after ${millis(Date.parse(message.time) - Date.parse(request.time))}`)));
	details.addEventListener('toggle', () => {
		if (details.open && details.childElementCount === 1) {
			details.append(body(message));
		}
	});
	return details;
}

function body(message) {
	const content = message.text ?? '';
	if (!message.truncated && content.length < 1048576) {
		try {
			const parsed = JSON.parse(content);
			return h('div', { class: 'body' }, tree(parsed), h('details', null, h('summary', null, 'JSON'), h('pre', null, text(json(parsed), 20000))));
		}
		catch {
			// not JSON: as it is
		}
	}
	return h('div', { class: 'body' }, h('pre', null, text(content, 20000)), message.truncated && h('p', { class: 'muted' }, 'Cut: the message was larger than what is kept of one.'));
}
