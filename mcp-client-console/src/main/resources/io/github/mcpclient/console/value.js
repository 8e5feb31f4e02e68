/* Values as trees that open on demand, tables, pictures, sound, links. */

import { e, h, link, paged, segmented, text } from './dom.js';
import { asString, bytes, json, plain } from './text.js';
import { isObject } from './schema.js';

const MEDIA = /^(image\/(png|jpeg|gif|webp)|audio\/[\w.+-]+)$/;

const MAX_COLUMNS = 30, MAX_MEDIA = 16 * 1048576, MAX_PARSED = 2 * 1048576;

/** A JSON value as a tree, whose levels are made when they are opened. */
export function tree(value, name, open = true) {
	const key = name !== undefined && e('span.key', plain(name, 200));
	if (value === null || typeof value !== 'object') {
		return e('div.leaf', key, key && ': ', e(`span.scalar.${typeof value}`, typeof value === 'string' ? ['"', text(value), '"'] : String(value)));
	}
	const entries = Array.isArray(value) ? value.map((item) => [undefined, item]) : Object.entries(value);
	const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
	return unfold([key, ' ', e('span.muted', size)], () => paged(entries, ([label, item]) => tree(item, label, false), '', { tag: 'div' }), { class: 'tree' }, open);
}

/** Content that is created when it is opened. */
export function unfold(summary, make, attributes = {}, open = false) {
	const details = h('details', { ...attributes, ontoggle: () => fill() }, e('summary', summary));
	const fill = () => details.open && details.childElementCount === 1 && details.append(make());
	details.open = open;
	fill();
	return details;
}

/** The columns and rows of a list of flat objects, which a table shows best, or `null`. */
export function rowsOf(value) {
	const [rows, ...others] = isObject(value) ? Object.values(value) : [value];
	if (others.length || !Array.isArray(rows) || !rows.length || !rows.every((row) => isObject(row) && Object.values(row).every((cell) => cell === null || typeof cell !== 'object'))) {
		return null;
	}
	const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	return (columns.length && columns.length <= MAX_COLUMNS) ? { columns, rows } : null;
}

function table({ columns, rows }) {
	return paged(rows, (row) => e('tr', columns.map((column) => e(typeof row[column] === 'number' ? 'td.figure' : 'td', Object.hasOwn(row, column) ? asString(row[column]) : ''))), 'rows', {
		tag: 'tbody', around: (body) => h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Result as a table' },
			h('table', { 'data-result': 'table' }, e('thead', e('tr', columns.map((column) => h('th', { scope: 'col' }, column)))), body))
	});
}

/** A value in the ways that suit it, with a choice between them. */
export function value(given, raw) {
	const rows = rowsOf(given);
	const ways = [
		...(rows ? [['Table', () => table(rows)]] : []),
		['Tree', () => h('div', { 'data-result': 'json' }, tree(given))],
		[raw === undefined ? 'JSON' : 'Text', () => e('pre', text(raw ?? json(given), 20000))]
	];
	const shown = e('div', ways[0][1]());
	return e('div', segmented('Show as', ways.map(([label], index) => [index, label, index === 0]), (index) => shown.replaceChildren(ways[index][1]())), shown);
}

/** An item of a result, or of a message of a prompt. */
export function content(item) {
	switch (isObject(item) ? item.type : undefined) {
		case 'text': return textual(item.text);
		case 'image':
		case 'audio': return media(item.data, item.mimeType);
		case 'resource_link': return h('div', { class: 'item', 'data-result': 'resource_link' }, e('p', 'Link to a resource: ', link(item.uri, item.title ?? item.name ?? item.uri)),
			e('p.sub', item.uri, ' ', item.mimeType), e('p', item.description));
		case 'resource': return isObject(item.resource) ? resource(item.resource) : tree(item);
		default: return tree(item);
	}
}

/** The content of a resource, with its address. */
export function resource(item) {
	return isObject(item) ? h('div', { class: 'item', 'data-result': 'resource' }, e('p.sub', link(item.uri), ' ', item.mimeType),
		typeof item.blob === 'string' ? media(item.blob, item.mimeType) : textual(item.text)) : tree(item);
}

/** A text, as JSON if it is. */
export function textual(given) {
	const string = asString(given ?? '');
	let parsed;
	try {
		parsed = (string.length < MAX_PARSED && /^\s*[[{]/.test(string)) ? JSON.parse(string) : undefined;
	}
	catch {
		// a text that only begins like JSON
	}
	return h('div', { class: 'item', 'data-result': 'text' }, parsed ? value(parsed, string) : e('pre', text(string, 20000)));
}

/* Only from data that is here, and only types that cannot hold a document. */
function media(data, mimeType) {
	const type = asString(mimeType ?? '').toLowerCase().split(';')[0].trim();
	const kind = type.startsWith('audio/') ? 'audio' : 'image';
	const size = asString(data ?? '').length * 3 / 4;
	const shown = MEDIA.test(type) && size < MAX_MEDIA && typeof data === 'string' && /^[A-Za-z0-9+/=\s]*$/.test(data);
	const label = `${plain(type || 'unknown type', 80)}, ${bytes(Math.floor(size))}`;
	const source = { src: `data:${type};base64,${data}` };
	return h('figure', { class: 'item', 'data-result': shown ? kind : 'binary' }, shown && (kind === 'audio' ? h('audio', { controls: true, ...source, 'aria-label': label }) : h('img', { ...source, alt: label })),
		e('figcaption.sub', label, !shown && ' (not shown)'));
}
