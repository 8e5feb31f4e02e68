/* All elements are created here: strings become text, addresses are checked. */

import { asString, bytes, cut, json, plain, reveal, span, webAddress } from './text.js';

const LIMIT = 600, STEP = 100000;

/* These cannot contain a button: long text is truncated. */
const PHRASING = new Set(['a', 'button', 'option', 'summary', 'h1', 'h2', 'h3', 'label', 'th', 'dt']);

const SPOKEN = new Set(['title', 'alt', 'placeholder', 'aria-label']);

export function byId(id) {
	return document.getElementById(id);
}

export function focus(element) {
	element.focus({ preventScroll: true });
}

/** Makes an element. Functions are listeners, `false` is no attribute, strings are text. */
export function h(tag, attributes, ...children) {
	const element = document.createElement(tag);
	if (tag === 'button') {
		element.type = 'button';
	}
	for (const [name, value] of Object.entries(attributes)) {
		if (typeof value === 'function') {
			element.addEventListener(name.slice(2), value);
		}
		else if (name !== 'href' ? value !== false && value !== undefined : value.startsWith('#') || webAddress(value)) {
			element.setAttribute(name, SPOKEN.has(name) ? plain(value) : (value === true) ? '' : String(value));
		}
	}
	append(element, children, PHRASING.has(tag));
	return element;
}

/** As `p.sub`, separately: an object from a server must not become attributes. */
export function e(name, ...children) {
	const [tag, ...classes] = name.split('.').filter(Boolean);
	return h(tag, classes.length ? { class: classes.join(' ') } : {}, ...children);
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
			element.append(text(child, short ? 300 : LIMIT, short));
		}
	}
}

/** Untrusted text: hidden characters as badges, long text behind a button. */
export function text(value, limit = LIMIT, short = false) {
	const string = asString(value);
	const fragment = document.createDocumentFragment();
	let end = cut(string, limit);
	fragment.append(segments(string.slice(0, end)));
	if (end < string.length && short) {
		fragment.append('…');
	}
	else if (end < string.length) {
		const label = () => `Show more (${bytes(string.length - end)})`;
		const more = h('button', { class: 'more', onclick() {
			const next = end + cut(string.slice(end, end + STEP + 1), STEP);
			more.before(segments(string.slice(end, next)));
			end = next;
			more.textContent = label();
			more.hidden = end === string.length;
		} }, label());
		fragment.append(' ', more);
	}
	return fragment;
}

function segments(string) {
	const fragment = document.createDocumentFragment();
	fragment.append(...reveal(string).map((part) => part.text ?? e('span.hidden-character', part.codes)));
	return fragment;
}

/** A link to another site if that is safe, else the text. */
export function link(address, label = address) {
	return webAddress(address) ? h('a', { href: address, rel: 'noopener noreferrer nofollow', target: '_blank' }, label) : e('span', label);
}

export function section(title, ...content) {
	const label = id('section');
	return h('section', { 'aria-labelledby': label }, h('h2', { id: label }, title), content);
}

/* The difference between the clock of the application and ours. */
let ahead = 0;

export function clock(time) {
	ahead = (Date.parse(time) - Date.now()) || 0;
}

/** A relative time, updated, with the exact time as its title. */
export function ago(time, suffix = ' ago') {
	const element = h('time', { datetime: time, title: exact(time), 'data-tick': suffix });
	tick(element);
	return element;
}

export function until(time) {
	return ago(time, 'until');
}

export function exact(time) {
	return new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
}

function tick(element) {
	const distance = Date.now() + ahead - Date.parse(element.dateTime);
	const suffix = element.dataset.tick;
	const shown = (suffix !== 'until') ? span(distance) + suffix : (distance < 0 ? 'in ' + span(-distance) : 'now');
	if (element.textContent !== shown) {
		element.textContent = shown;
	}
}

setInterval(() => document.querySelectorAll('time[data-tick]').forEach(tick), 1000);

/** Announces the result of an action to screen readers. */
export function announce(message) {
	const announcer = byId('announcer');
	announcer.textContent = '';
	// the same message twice is announced twice
	setTimeout(() => announcer.append(plain(message)), 50);
}

/** An error, which stays until it is dismissed. */
export function notice(message) {
	const notices = byId('notices');
	const element = h('div', { class: 'notice', role: 'alert', 'data-notice': 'error' }, e('p', message), h('button', {
		class: 'more', 'aria-label': 'Dismiss this message', onclick() {
			element.remove();
			byId('main').focus();
		}
	}, '✕'));
	notices.append(element);
	notices.children[5] && notices.firstChild.remove();
}

/** A button that copies a text, and shows it, since some browsers prevent copying. */
export function copier(label, kind, place, make) {
	return h('button', { 'data-copy': kind, async onclick() {
		try {
			const made = await make();
			place.replaceChildren(h('pre', { 'data-snippet': kind, class: 'snippet', tabindex: '0' }, text(made, 20000)));
			await navigator.clipboard.writeText(made).then(() => announce('Copied'), () => announce('Copying is not allowed here: the text is below'));
		}
		catch (error) {
			notice(error.message);
		}
	} }, label);
}

/** Replaces content, but retains filters and the focus. */
export function swap(container, ...content) {
	const focused = container.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
	const filters = new Map([...container.querySelectorAll('input[data-key]')].map((input) => [input.dataset.key, input.value]));
	container.replaceChildren();
	append(container, content);
	for (const item of container.querySelectorAll('[data-key]')) {
		if (filters.get(item.dataset.key)) {
			item.value = filters.get(item.dataset.key);
			item.dispatchEvent(new Event('input'));
		}
		if (item.dataset.key === focused) {
			item.focus();
		}
	}
}

/** A list, drawn in pages, with a filter. */
export function paged(items, render, label, { page = 100, tag = 'ul', around = (list) => list } = {}) {
	const list = h(tag, { class: 'paged', 'aria-label': /^.l$/.test(tag) && label });
	const rest = h('button', { class: 'more', onclick: () => show() });
	let found = items;
	let drawn = 0;
	const show = () => {
		list.append(...found.slice(drawn, drawn + page).map(render));
		drawn = Math.min(drawn + page, found.length);
		rest.hidden = drawn === found.length;
		rest.textContent = `Show more (${found.length - drawn})`;
	};
	show();
	let words;
	const bar = items.length > 7 && label && e('div.bar', h('input', {
		type: 'search', 'aria-label': `Filter ${label}`, placeholder: 'Filter', 'data-key': label, oninput(event) {
			words ??= items.map((item) => json(item, 0).slice(0, 10000).toLowerCase());
			found = items.filter((item, index) => words[index].includes(event.target.value.toLowerCase()));
			list.replaceChildren();
			drawn = 0;
			show();
		}
	}));
	return e('div', bar, around(list), rest);
}

/** Buttons of which one is pressed, unless `choose` returns `false`. */
export function segmented(label, options, choose) {
	const buttons = options.map(([key, name, pressed, more]) => h('button', { ...more, 'aria-pressed': String(pressed), onclick({ currentTarget: chosen }) {
		if (choose(key, chosen) !== false) {
			buttons.forEach((button) => button.setAttribute('aria-pressed', String(button === chosen)));
		}
	} }, name));
	return h('div', { class: 'segmented', role: 'group', 'aria-label': label }, buttons);
}

let lastNumber = 0;

export function id(prefix) {
	return `${prefix}-${++lastNumber}`;
}
