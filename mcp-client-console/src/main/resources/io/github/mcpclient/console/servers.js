/* All servers, worst first. Only the rows that can be seen are in the document. */

import { post, writable } from './api.js';
import { ago, e, focus, h, notice, text, until } from './dom.js';
import { encode, millis, number, percent, plain } from './text.js';

const OVERSCAN = 8;

export const STATES = { UNAVAILABLE: '✕', CONNECTING: '↻', READY: '✓', IDLE: '○', DISABLED: '–', CLOSED: '■' };

export function state(name) {
	return h('span', { class: `state ${name.toLowerCase()}`, 'data-state': name }, h('span', { 'aria-hidden': 'true', class: 'icon' }, STATES[name] ?? '?'), words(name));
}

/** A constant as words: `Authorization metadata`, but `TLS`. */
export function words(name) {
	return /^(DNS|TCP|TLS|HTTP)$/.test(name) ? name : name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ');
}

/* Errors count from 5 %, so that rows do not jump with each failure. */
function badness(row) {
	const error = row.lastError ? 0 : 1;
	return { UNAVAILABLE: row.required ? 0 : 1, CONNECTING: 2 + error, READY: row.metrics?.errorRate >= 0.05 ? 4 : 6, IDLE: 5 + 2 * error, DISABLED: 8 }[row.state] ?? 9;
}

/* Key, header, and the text of a number; hidden if no row has it. */
export const COLUMNS = [
	['server', 'Server'],
	['state', 'State'],
	['error', 'Last error'],
	['tools', 'Tools', (row) => number(row.tools)],
	['calls', 'Calls/s', (row) => number(row.metrics?.callsPerSecond)],
	['p95', 'p95', (row) => millis(row.metrics?.p95Ms)],
	['errors', 'Errors', (row) => percent(row.metrics?.errorRate)],
	['pending', 'Pending', (row) => number(row.metrics?.pending)],
	['users', 'Users', (row) => number(row.users)]
];

function cell(role, [key, label, figure], attributes, ...content) {
	return h('div', { role, class: `cell c-${key} ${figure ? 'figure' : ''}`, ...attributes }, content);
}

export function serversView(store, params) {
	const heading = h('h1', { tabindex: '-1' }, 'MCP servers');
	const states = ['', ...Object.keys(STATES)].map((key) => [key, h('button', { class: 'count', 'data-count': key || 'ALL', onclick: () => change({ state: key }) }, e('strong'), ' ', key ? state(key) : 'All')]);
	const search = h('input', { type: 'search', id: 'filter', placeholder: 'Name, target or error', 'aria-label': 'Filter servers', oninput: () => change({ q: search.value }) });
	const found = h('span', { class: 'muted', role: 'status', id: 'found' });
	const reloaded = h('span', { class: 'muted', role: 'status', id: 'reloaded' });
	const reload = writable() && h('button', { async onclick() {
		try {
			reloaded.textContent = plain((await post('reload', {})).text);
		}
		catch (error) {
			notice(error.message);
		}
	} }, 'Reload configuration');
	const reloadFailure = h('pre', { class: 'problem', id: 'reload-failure', tabindex: '0' });
	const body = h('div', { role: 'rowgroup', class: 'rows' });
	const table = h('div', { role: 'table', id: 'servers', 'aria-label': 'MCP servers' }, h('div', { role: 'rowgroup', class: 'heads' },
		h('div', { role: 'row', class: 'row head', 'aria-rowindex': '1' }, COLUMNS.map((column) => cell('columnheader', column, {}, column[1])))), body);
	const empty = e('p.empty');
	const element = e('section', e('div.title', heading, h('div', { class: 'counts', role: 'group', 'aria-label': 'Servers by state' }, states.map(([, button]) => button))), e('div.bar', search, found, reload, reloaded), reloadFailure, table, empty);

	let filter, frame, told;
	let shown = [];
	let rowHeight = 0;
	const drawn = new Map();

	function change(changes) {
		Object.assign(filter, changes);
		const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value));
		history.replaceState(null, '', query.size ? `#/?${query}` : '#/');
		update();
	}

	function show(given) {
		filter = { q: given.get('q') ?? '', state: STATES[given.get('state')] ? given.get('state') : '' };
		search.value = filter.q;
		update();
	}

	function update() {
		const all = [...store.rows.values()];
		const wanted = filter.q.toLowerCase();
		shown = all.filter((row) => (!filter.state || row.state === filter.state) && (!wanted || `${row.name}\n${row.target}\n${row.type}\n${row.server?.title}\n${row.lastError}`.toLowerCase().includes(wanted)))
			.sort((a, b) => badness(a) - badness(b) || a.position - b.position);
		summary(all);
		if (told !== store.reloadFailure) {
			told = store.reloadFailure;
			reloadFailure.replaceChildren(text(told ?? '', 20000));
		}
		reloadFailure.hidden = !told;
		found.textContent = (shown.length < all.length) ? `${number(shown.length)} of ${number(all.length)}` : '';
		empty.hidden = shown.length > 0;
		table.hidden = !shown.length;
		empty.textContent = !store.loaded ? 'Loading…' : all.length ? 'No server matches the filter.' : 'No MCP servers are configured. Add one below mcp.servers.';
		table.setAttribute('aria-rowcount', shown.length + 1);
		request();
	}

	function summary(all) {
		for (const [key, button] of states) {
			const count = key ? all.filter((row) => row.state === key).length : all.length;
			button.firstChild.textContent = number(count);
			button.hidden = key && !count && filter.state !== key;
			button.setAttribute('aria-pressed', String(filter.state === key));
		}
		COLUMNS.forEach(([key, , figure]) => figure && table.classList.toggle(`no-${key}`, !all.some(figure)));
	}

	function request() {
		frame ??= requestAnimationFrame(() => {
			frame = undefined;
			body.isConnected && shown.length && draw();
		});
	}

	function draw() {
		rowHeight ||= place(0, body.firstChild).offsetHeight;
		body.style.setProperty('height', `${shown.length * rowHeight}px`);
		const top = -body.getBoundingClientRect().top;
		const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
		const last = Math.min(shown.length, Math.ceil((top + innerHeight) / rowHeight) + OVERSCAN);
		const focused = body.contains(document.activeElement) ? document.activeElement.closest('[data-server]') : null;
		const visible = new Set();
		let next = body.firstChild;
		for (let index = first; index < last; index++) {
			const row = place(index, next);
			next = row.nextSibling;
			visible.add(row);
		}
		for (const [name, item] of drawn) {
			// the row with the focus stays, or the keyboard would lose its place
			if (!visible.has(item.element) && (item.element !== focused || !store.rows.has(name))) {
				item.element.remove();
				drawn.delete(name);
			}
		}
		// a row that has moved has lost it
		focused && !focused.contains(document.activeElement) && focus(focused.querySelector('a'));
	}

	function place(index, before) {
		const row = shown[index];
		const item = drawn.get(row.name) ?? skeleton(row.name);
		drawn.set(row.name, item);
		if (item.element !== before) {
			body.insertBefore(item.element, before);
		}
		if (item.row !== row) {
			fill(item, row);
			item.row = row;
		}
		item.element.style.setProperty('transform', `translateY(${index * rowHeight}px)`);
		item.element.setAttribute('aria-rowindex', index + 2);
		return item.element;
	}

	function skeleton(name) {
		const cells = Object.fromEntries(COLUMNS.map((column) => [column[0], cell('cell', column, { 'data-column': column[0], 'data-label': column[1] })]));
		const sub = e('span.sub');
		cells.server.append(h('a', { href: `#/server/${encode(name)}`, class: 'name', title: name }, name), sub);
		return { element: h('div', { role: 'row', class: 'row', 'data-server': name }, Object.values(cells)), cells, sub };
	}

	function fill({ element, cells, sub, row: before }, row) {
		element.dataset.rowState = row.state;
		sub.textContent = plain([row.type, row.protocolVersion, row.required && 'required'].filter(Boolean).join(' · '));
		sub.title = plain(row.target);
		if (before?.since !== row.since || before.nextRetry !== row.nextRetry || before.lastError !== row.lastError) {
			cells.state.replaceChildren(state(row.state), e('span.sub', e('span.unseen', 'for '), ago(row.since, ''), row.nextRetry && row.state !== 'READY' && [' · next ', until(row.nextRetry)]));
			cells.error.replaceChildren(row.lastError ? h('span', { class: 'clamp', title: row.lastError }, row.failedStep && e('span.step', words(row.failedStep)), ' ', plain(row.lastError)) : e('span.unseen', 'none'));
		}
		COLUMNS.forEach(([key, , figure]) => figure && (cells[key].textContent = figure(row)));
		cells.errors.classList.toggle('bad', row.metrics?.errorRate >= 0.05);
	}

	function resized() {
		rowHeight = 0;
		request();
	}

	addEventListener('scroll', request, { passive: true });
	addEventListener('resize', resized);
	show(params);
	return {
		element, heading, title: 'Servers', show, update,
		close() {
			removeEventListener('scroll', request);
			removeEventListener('resize', resized);
		}
	};
}
