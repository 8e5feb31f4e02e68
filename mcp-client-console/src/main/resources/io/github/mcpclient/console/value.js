/* Values as what they are: trees that open on demand, tables, pictures, sound, links. */

import { h, link, paged, text } from './dom.js';
import { asString, bytes, json, plain } from './text.js';
import { isObject } from './schema.js';

const MEDIA = /^(image\/(png|jpeg|gif|webp)|audio\/(mpeg|mp3|mp4|aac|ogg|wav|x-wav|wave|webm|flac))$/;

const MAX_MEDIA = 16 * 1048576;

const MAX_COLUMNS = 30;

const MAX_TEXT_PARSED = 2 * 1048576;

/** A JSON value as a tree, whose levels are made when they are opened. */
export function tree(value, name, open = true) {
	if (value === null || typeof value !== 'object') {
		return h('div', { class: 'leaf' }, name !== undefined && [h('span', { class: 'key' }, plain(name, 200)), ': '], scalar(value));
	}
	const entries = Array.isArray(value) ? value : Object.entries(value);
	const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
	const details = h('details', { class: 'tree' },
		h('summary', null, name !== undefined && [h('span', { class: 'key' }, plain(name, 200)), ' '], h('span', { class: 'muted' }, size)));
	const fill = () => {
		if (details.open && details.childElementCount === 1) {
			details.append(paged(entries, (entry, index) => Array.isArray(value)
				? tree(entry, undefined, false) : tree(entry[1], entry[0], false), { tag: 'div', page: 100 }));
		}
	};
	details.addEventListener('toggle', fill);
	if (open) {
		details.open = true;
		fill();
	}
	return details;
}

function scalar(value) {
	const type = value === null ? 'null' : typeof value;
	return h('span', { class: `scalar ${type}` }, type === 'string' ? ['"', text(value), '"'] : String(value));
}

/** The rows of a list of flat objects, which a table shows best, or `null`. */
export function rowsOf(value) {
	const lists = isObject(value) ? Object.values(value) : [value];
	if (lists.length !== 1 || !Array.isArray(lists[0]) || !lists[0].length) {
		return null;
	}
	const columns = new Set();
	for (const row of lists[0]) {
		if (!isObject(row) || Object.values(row).some((cell) => cell !== null && typeof cell === 'object')) {
			return null;
		}
		Object.keys(row).forEach((column) => columns.add(column));
		if (columns.size > MAX_COLUMNS) {
			return null;
		}
	}
	return columns.size ? { columns: [...columns], rows: lists[0] } : null;
}

function table({ columns, rows }) {
	const body = h('tbody');
	const rest = h('button', { type: 'button', class: 'more', onclick: () => show(100) });
	let drawn = 0;
	const show = (count) => {
		body.append(...rows.slice(drawn, drawn + count).map((row) => h('tr', null, columns.map((column) => h('td', {
			class: typeof row[column] === 'number' ? 'figure' : ''
		}, Object.hasOwn(row, column) ? asString(row[column]) : '')))));
		drawn = Math.min(rows.length, drawn + count);
		rest.hidden = drawn === rows.length;
		rest.textContent = `Show more (${rows.length - drawn})`;
	};
	show(100);
	return h('div', null, h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Result as a table' },
		h('table', { 'data-result': 'table' }, h('thead', null, h('tr', null, columns.map((column) => h('th', { scope: 'col' }, column)))), body)), rest);
}

/** A value in the ways that suit it, with a choice between them. */
export function value(given, raw) {
	const rows = rowsOf(given);
	const ways = [
		...(rows ? [['Table', () => table(rows)]] : []),
		['Tree', () => h('div', { 'data-result': 'json' }, tree(given))],
		[raw === undefined ? 'JSON' : 'Text', () => h('pre', null, text(raw ?? json(given), 20000))]
	];
	const shown = h('div');
	const buttons = ways.map(([label, make], index) => h('button', {
		type: 'button', 'aria-pressed': String(index === 0), onclick: (event) => {
			buttons.forEach((button) => button.setAttribute('aria-pressed', String(button === event.currentTarget)));
			shown.replaceChildren(make());
		}
	}, label));
	shown.append(ways[0][1]());
	return h('div', { class: 'value' }, h('div', { class: 'segmented', role: 'group', 'aria-label': 'Show as' }, buttons), shown);
}

/** An item of a result, a message of a prompt, or the content of a resource. */
export function content(item) {
	switch (isObject(item) ? item.type : undefined) {
		case 'text': return textual(asString(item.text ?? ''));
		case 'image':
		case 'audio': return media(item.data, item.mimeType, item.type);
		case 'resource_link': return h('div', { class: 'item', 'data-result': 'resource_link' }, h('p', null, 'Link to a resource: ',
			link(item.uri, item.title ?? item.name ?? item.uri)), h('p', { class: 'sub' }, item.uri, item.mimeType && ` \u00B7 ${item.mimeType}`),
			item.description && h('p', null, item.description));
		case 'resource': return isObject(item.resource) ? resource(item.resource) : tree(item);
		default: return tree(item);
	}
}

/** The content of a resource, with its address. */
export function resource(item) {
	const type = asString(item.mimeType ?? '').split(';')[0];
	const body = (typeof item.blob === 'string')
		? media(item.blob, type, type.startsWith('audio/') ? 'audio' : 'image') : textual(asString(item.text ?? ''));
	return h('div', { class: 'item', 'data-result': 'resource' },
		h('p', { class: 'sub' }, link(item.uri), item.mimeType && ` \u00B7 ${asString(item.mimeType)}`), body);
}

function textual(string) {
	if (string.length < MAX_TEXT_PARSED && /^\s*[[{]/.test(string)) {
		try {
			return h('div', { class: 'item', 'data-result': 'text' }, value(JSON.parse(string), string));
		}
		catch {
			// a text that only begins like JSON
		}
	}
	return h('pre', { class: 'item', 'data-result': 'text' }, text(string, 20000));
}

/* Only from data that is here, never from an address, and only types that cannot hold a document. */
function media(data, mimeType, kind) {
	const type = asString(mimeType ?? '').toLowerCase();
	const size = typeof data === 'string' ? Math.floor(data.length * 3 / 4) : 0;
	const label = `${kind === 'audio' ? 'Sound' : 'Picture'}: ${plain(type || 'unknown type', 80)}, ${bytes(size)}`;
	if (!MEDIA.test(type) || size > MAX_MEDIA || !/^[A-Za-z0-9+/=\s]*$/.test(data ?? '')) {
		return h('p', { class: 'item', 'data-result': 'binary' }, label, ' (not shown)');
	}
	const source = `data:${type};base64,${data}`;
	const element = type.startsWith('audio/')
		? h('audio', { controls: true, preload: 'metadata', src: source, 'aria-label': label })
		: h('img', { src: source, alt: label, class: 'picture' });
	return h('figure', { class: 'item', 'data-result': type.startsWith('audio/') ? 'audio' : 'image' }, element, h('figcaption', { class: 'sub' }, label));
}
