/* Elements are made here and nowhere else: strings become text, addresses are checked. */

import { asString, bytes, cut, plain, reveal, span, webAddress } from './text.js';

const LIMIT = 600;

const STEP = 100000;

/* These can hold no button, so that a long text in them is shortened for good. */
const PHRASING = new Set(['a', 'button', 'option', 'summary', 'h1', 'h2', 'h3', 'label', 'legend', 'th', 'dt']);

/* What people hear or see of an attribute. */
const SPOKEN = new Set(['title', 'alt', 'placeholder', 'aria-label']);

/** Makes an element. Functions are listeners, `true` and `false` are attributes with and without, strings are text. */
export function h(tag, attributes, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes ?? {})) {
		if (typeof value === 'function') {
			element.addEventListener(name.slice(2), value);
		}
		else if (name === 'href') {
			const address = value.startsWith('#') ? value : webAddress(value);
			if (address) {
				element.setAttribute('href', address);
			}
		}
		else if (value !== false && value !== undefined && value !== null) {
			element.setAttribute(name, SPOKEN.has(name) ? plain(value) : (value === true) ? '' : String(value));
		}
	}
	append(element, children, PHRASING.has(tag));
	return element;
}

function append(element, children, short) {
	for (const child of children) {
		if (Array.isArray(child)) {
			append(element, child, short);
		}
		else if (child instanceof Node) {
			element.append(child);
		}
		else if (child !== null && child !== undefined && child !== false) {
			element.append(short ? segments(shortened(asString(child))) : text(child));
		}
	}
}

function shortened(string) {
	const end = cut(string, 300);
	return (end < string.length) ? string.slice(0, end) + '\u2026' : string;
}

/** Foreign text: what is hidden in it as badges, the rest of a long one behind a button. */
export function text(value, limit = LIMIT) {
	const string = asString(value);
	const fragment = document.createDocumentFragment();
	let end = cut(string, limit);
	fragment.append(segments(string.slice(0, end)));
	if (end < string.length) {
		const more = h('button', { type: 'button', class: 'more' });
		const label = () => {
			more.textContent = `Show more (${bytes(string.length - end)})`;
		};
		more.addEventListener('click', (event) => {
			event.preventDefault();
			const next = end + cut(string.slice(end, end + STEP + 1), STEP);
			more.before(segments(string.slice(end, next)));
			end = next;
			(end < string.length) ? label() : more.remove();
		});
		label();
		fragment.append(' ', more);
	}
	return fragment;
}

function segments(string) {
	const fragment = document.createDocumentFragment();
	for (const part of reveal(string)) {
		if (part.codes) {
			const badge = document.createElement('span');
			badge.className = 'hidden-character';
			badge.textContent = part.codes;
			fragment.append(badge);
		}
		else {
			fragment.append(part.text);
		}
	}
	return fragment;
}

/** A link to another site where that is safe, else the text. */
export function link(address, label = address) {
	return webAddress(address)
		? h('a', { href: address, rel: 'noopener noreferrer nofollow', target: '_blank' }, label) : h('span', null, label);
}

/* The clock of the application, as far as it is ahead of ours. */
let ahead = 0;

export function clock(time) {
	const at = Date.parse(time);
	if (!Number.isNaN(at)) {
		ahead = at - Date.now();
	}
}

export function now() {
	return Date.now() + ahead;
}

/** A time as what it is from now, and exactly as its title; it ticks. */
export function ago(time, suffix = ' ago') {
	return moment(time, 'ago', suffix);
}

export function until(time) {
	return moment(time, 'until', '');
}

function moment(time, kind, suffix) {
	const at = new Date(time);
	if (!time || Number.isNaN(at.getTime())) {
		return h('span', null, '\u2013');
	}
	const element = h('time', {
		datetime: at.toISOString(), title: exact(at), 'data-tick': kind, 'data-suffix': suffix
	});
	tick(element);
	return element;
}

export function exact(time) {
	return new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
}

export function clockTime(time) {
	const at = new Date(time);
	return h('time', { datetime: Number.isNaN(at.getTime()) ? false : at.toISOString(), title: exact(at) },
		at.toLocaleTimeString('en-GB') + '.' + String(at.getMilliseconds()).padStart(3, '0'));
}

function tick(element) {
	const distance = now() - Date.parse(element.dateTime);
	const shown = (element.dataset.tick === 'until')
		? (distance < 0 ? 'in ' + span(-distance) : 'now')
		: span(distance) + element.dataset.suffix;
	if (element.textContent !== shown) {
		element.textContent = shown;
	}
}

setInterval(() => document.querySelectorAll('time[data-tick]').forEach(tick), 1000);

/** Tells those who cannot see the page what came of an action. */
export function announce(message) {
	const announcer = document.getElementById('announcer');
	announcer.textContent = '';
	// the same message twice is announced twice
	setTimeout(() => announcer.append(plain(message)), 50);
}

/** An error, which stays until it is dismissed. */
export function notice(message, kind = 'error') {
	const notices = document.getElementById('notices');
	const focused = document.activeElement;
	const element = h('div', { class: `notice ${kind}`, role: 'alert', 'data-notice': kind },
		h('p', null, message),
		h('button', {
			type: 'button', class: 'plain', 'aria-label': 'Dismiss this message', onclick: () => {
				element.remove();
				(focused?.isConnected ? focused : document.getElementById('main')).focus();
			}
		}, '\u2715'));
	notices.append(element);
	while (notices.children.length > 5) {
		notices.firstElementChild.remove();
	}
}

/** Puts new content in place of the old: what was open stays open, and the focus stays where it was. */
export function swap(container, ...content) {
	const focused = container.contains(document.activeElement) ? document.activeElement.dataset.key : null;
	const open = new Set([...container.querySelectorAll('details[data-key][open]')].map((item) => item.dataset.key));
	container.replaceChildren();
	append(container, content);
	container.querySelectorAll('details[data-key]').forEach((item) => {
		item.open = item.open || open.has(item.dataset.key);
	});
	if (focused) {
		[...container.querySelectorAll('[data-key]')].find((item) => item.dataset.key === focused)?.focus();
	}
}

/** A list of which so many are drawn; the rest follows on demand, or is found by its filter. */
export function paged(items, render, { page = 100, tag = 'ul', label, filter } = {}) {
	const list = h(tag, { class: 'paged', 'aria-label': label });
	const rest = h('button', { type: 'button', class: 'more', onclick: () => show(drawn + page) });
	let found = items;
	let drawn = 0;
	const show = (count) => {
		const next = found.slice(drawn, count).map(render);
		list.append(...next);
		drawn = Math.min(count, found.length);
		rest.hidden = drawn === found.length;
		rest.textContent = `Show ${Math.min(page, found.length - drawn)} of ${found.length - drawn} more`;
	};
	show(page);
	if (!filter || items.length < 8) {
		return h('div', null, list, rest);
	}
	const status = h('span', { class: 'muted', role: 'status' });
	const input = h('input', {
		type: 'search', 'aria-label': `Filter ${label}`, placeholder: 'Filter', 'data-key': `filter ${label}`,
		oninput: () => {
			const wanted = input.value.toLowerCase();
			found = items.filter((item) => filter(item).toLowerCase().includes(wanted));
			list.replaceChildren();
			drawn = 0;
			show(page);
			status.textContent = wanted ? `${found.length} of ${items.length}` : '';
		}
	});
	return h('div', null, h('div', { class: 'bar' }, input, status), list, rest);
}

/** A button that copies what a function returns. */
export function copyButton(label, content, kind) {
	return h('button', {
		type: 'button', 'data-copy': kind, onclick: async () => {
			try {
				await navigator.clipboard.writeText(content());
				announce('Copied');
			}
			catch {
				// no clipboard without https or permission: the text is shown instead, to be selected
				announce('The browser does not let the page copy: the text is shown below');
			}
		}
	}, label);
}

let ids = 0;

export function id(prefix = 'e') {
	return `${prefix}-${++ids}`;
}
