/* All servers, worst first. Only the rows that can be seen are in the document. */

import { ago, h, until } from './dom.js';
import { encode, millis, number, percent, plain } from './text.js';

const OVERSCAN = 8;

export const STATES = {
	UNAVAILABLE: { icon: '\u2715', word: 'Unavailable' },
	CONNECTING: { icon: '\u21BB', word: 'Connecting' },
	READY: { icon: '\u2713', word: 'Ready' },
	IDLE: { icon: '\u25CB', word: 'Idle' },
	DISABLED: { icon: '\u2013', word: 'Disabled' },
	CLOSED: { icon: '\u25A0', word: 'Closed' }
};

export function state(name) {
	const { icon, word } = STATES[name] ?? { icon: '?', word: name };
	return h('span', { class: `state ${STATES[name] ? name.toLowerCase() : ''}`, 'data-state': name },
		h('span', { 'aria-hidden': 'true', class: 'icon' }, icon), word);
}

/* Errors count from a share of 5 %, so that rows do not jump with each call that fails. */
function badness(row) {
	switch (row.state) {
		case 'UNAVAILABLE': return row.required ? 0 : 1;
		case 'CONNECTING': return row.lastError ? 2 : 3;
		case 'READY': return row.metrics?.errorRate >= 0.05 ? 4 : 6;
		case 'IDLE': return row.lastError ? 5 : 7;
		default: return row.state === 'DISABLED' ? 8 : 9;
	}
}

const ORDERS = {
	worst: ['Worst first', (a, b) => badness(a) - badness(b)],
	name: ['Name', (a, b) => (a.name < b.name ? -1 : 1)],
	position: ['Order of configuration', () => 0],
	since: ['Latest change', (a, b) => (a.since < b.since) - (a.since > b.since)],
	calls: ['Calls a second', (a, b) => (b.metrics?.callsPerSecond ?? -1) - (a.metrics?.callsPerSecond ?? -1)],
	p95: ['Slowest (p95)', (a, b) => (b.metrics?.p95Ms ?? -1) - (a.metrics?.p95Ms ?? -1)],
	errors: ['Error rate', (a, b) => (b.metrics?.errorRate ?? -1) - (a.metrics?.errorRate ?? -1)]
};

/* Key, header, how it is shown, and whether it is a number. */
const COLUMNS = [
	['server', 'Server'],
	['state', 'State'],
	['error', 'Last error'],
	['tools', 'Tools', (row) => number(row.tools)],
	['calls', 'Calls/s', (row) => number(row.metrics?.callsPerSecond), 'metrics'],
	['p95', 'p95', (row) => millis(row.metrics?.p95Ms), 'metrics'],
	['errors', 'Errors', (row) => percent(row.metrics?.errorRate), 'metrics'],
	['pending', 'Pending', (row) => number(row.metrics?.pending), 'metrics'],
	['users', 'Users', (row) => number(row.users ?? 0), 'users']
];

export function serversView(store, params) {
	const heading = h('h1', { tabindex: '-1' }, 'MCP servers');
	const counts = h('div', { class: 'counts', role: 'group', 'aria-label': 'Servers by state' });
	const search = h('input', {
		type: 'search', id: 'filter', placeholder: 'Name, target or error', 'aria-label': 'Filter servers',
		oninput: () => change({ q: search.value })
	});
	const order = h('select', { id: 'order', 'aria-label': 'Order', onchange: () => change({ sort: order.value }) },
		Object.entries(ORDERS).map(([key, [label]]) => h('option', { value: key }, label)));
	const found = h('span', { class: 'muted', role: 'status', id: 'found' });
	const header = h('div', { role: 'row', class: 'row head', 'aria-rowindex': '1' });
	const body = h('div', { role: 'rowgroup', class: 'rows', onkeydown: move });
	const table = h('div', { role: 'table', id: 'servers', class: 'servers', 'aria-label': 'MCP servers' },
		h('div', { role: 'rowgroup', class: 'heads' }, header), body);
	const empty = h('p', { class: 'empty', hidden: true });
	const element = h('section', { class: 'overview' }, h('div', { class: 'title' }, heading, counts),
		h('div', { class: 'bar' }, search, order, found), table, empty);

	let filter = { q: '', state: '', sort: 'worst' };
	let columns = [];
	let shown = [];
	let rowHeight = 0;
	let frame = 0;
	const drawn = new Map();

	function change(changes) {
		filter = { ...filter, ...changes };
		const hash = new URLSearchParams(Object.entries(filter).filter(([, value]) => value && value !== 'worst')).toString();
		history.replaceState(null, '', hash ? `#/?${hash}` : '#/');
		update();
	}

	function show(given) {
		filter = {
			q: given.get('q') ?? '',
			state: STATES[given.get('state')] ? given.get('state') : '',
			sort: ORDERS[given.get('sort')] ? given.get('sort') : 'worst'
		};
		search.value = filter.q;
		order.value = filter.sort;
		update();
	}

	/** Sorts and filters; what can be seen is drawn with the next frame. */
	function update() {
		const all = [...store.rows.values()];
		summary(all);
		const wanted = filter.q.toLowerCase();
		const compare = ORDERS[filter.sort][1];
		shown = all.filter((row) => (!filter.state || row.state === filter.state) && (!wanted || matches(row, wanted)))
			.sort((a, b) => compare(a, b) || a.position - b.position);
		found.textContent = (shown.length < all.length) ? `${number(shown.length)} of ${number(all.length)}` : '';
		empty.hidden = shown.length > 0;
		table.hidden = shown.length === 0;
		empty.textContent = !store.loaded ? 'Loading\u2026'
			: all.length ? 'No server matches the filter.' : 'No MCP servers are configured. Add one below mcp.servers.';
		table.setAttribute('aria-rowcount', shown.length + 1);
		heads(all);
		request();
	}

	function matches(row, wanted) {
		return `${row.name}\n${row.target}\n${row.type}\n${row.server?.title ?? ''}\n${row.lastError ?? ''}`.toLowerCase()
			.includes(wanted);
	}

	function summary(all) {
		const numbers = {};
		all.forEach((row) => {
			numbers[row.state] = (numbers[row.state] ?? 0) + 1;
		});
		const entries = [['', 'All', all.length], ...Object.keys(STATES)
			.filter((key) => numbers[key] || filter.state === key).map((key) => [key, STATES[key].word, numbers[key] ?? 0])];
		const signature = JSON.stringify([entries, filter.state]);
		if (counts.dataset.signature !== signature) {
			const focused = counts.contains(document.activeElement) ? document.activeElement.dataset.count : null;
			counts.dataset.signature = signature;
			counts.replaceChildren(...entries.map(([key, word, count]) => h('button', {
				type: 'button', class: `count ${key.toLowerCase()}`, 'data-count': key || 'ALL',
				'aria-pressed': String(filter.state === key), onclick: () => change({ state: key })
			}, h('strong', null, number(count)), ' ', key && h('span', { 'aria-hidden': 'true', class: 'icon' }, STATES[key].icon), word)));
			counts.querySelector(`[data-count="${focused}"]`)?.focus();
		}
	}

	/* Columns without a figure anywhere are not there. */
	function heads(all) {
		const metrics = all.some((row) => row.metrics);
		const users = all.some((row) => row.users);
		const next = COLUMNS.filter(([, , , only]) => !only || (only === 'metrics' ? metrics : users));
		if (next.length !== columns.length || !header.firstChild) {
			columns = next;
			table.className = `servers ${metrics ? 'with-metrics' : ''} ${users ? 'with-users' : ''}`;
			header.replaceChildren(...columns.map(([key, label, figure]) => h('div', {
				role: 'columnheader', class: `cell c-${key} ${figure ? 'figure' : ''}`
			}, label)));
			drawn.forEach((item) => item.element.remove());
			drawn.clear();
		}
	}

	function request() {
		frame ||= requestAnimationFrame(() => {
			frame = 0;
			draw();
		});
	}

	function draw() {
		if (!body.isConnected || !shown.length) {
			return;
		}
		if (!rowHeight) {
			place(0);
			rowHeight = drawn.get(shown[0].name).element.offsetHeight || 52;
		}
		body.style.setProperty('height', `${shown.length * rowHeight}px`);
		const top = -body.getBoundingClientRect().top;
		const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
		const last = Math.min(shown.length, Math.ceil((top + window.innerHeight) / rowHeight) + OVERSCAN);
		const focused = body.contains(document.activeElement) ? document.activeElement.closest('[data-server]') : null;
		const visible = new Set();
		let before = body.firstElementChild;
		for (let index = first; index < last; index++) {
			const element = place(index, before);
			before = element.nextElementSibling;
			visible.add(element);
		}
		for (const [name, item] of drawn) {
			// the row with the focus stays, wherever it is, or the keyboard would lose its place
			const gone = !store.rows.has(name);
			if (!visible.has(item.element) && (gone || item.element !== focused)) {
				item.element.remove();
				drawn.delete(name);
			}
		}
		if (focused?.isConnected && !focused.contains(document.activeElement)) {
			focused.querySelector('a').focus({ preventScroll: true });
		}
	}

	function place(index, before = body.firstElementChild) {
		const row = shown[index];
		let item = drawn.get(row.name);
		if (!item) {
			item = skeleton(row.name);
			drawn.set(row.name, item);
		}
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
		const cells = {};
		const element = h('div', { role: 'row', class: 'row', 'data-server': name }, columns.map(([key, label, figure]) => {
			cells[key] = h('div', { role: 'cell', class: `cell c-${key} ${figure ? 'figure' : ''}`, 'data-column': key, 'data-label': figure && label });
			return cells[key];
		}));
		cells.name = h('a', { href: `#/server/${encode(name)}`, class: 'name', title: name }, name);
		cells.sub = h('span', { class: 'sub' });
		cells.server.append(cells.name, cells.sub);
		return { element, cells };
	}

	function fill({ cells, element }, row) {
		element.dataset.rowState = row.state;
		const type = [row.type, row.protocolVersion].filter(Boolean).join(' \u00B7 ');
		cells.sub.textContent = plain(type + (row.required ? ' \u00B7 required' : ''));
		cells.sub.title = plain(row.target);
		put(cells.state, [row.state, row.since, row.nextRetry], () => [state(row.state),
			h('span', { class: 'sub' }, h('span', { class: 'unseen' }, 'for '), ago(row.since, ''),
				row.nextRetry && row.state !== 'READY' && [' \u00B7 next ', until(row.nextRetry)])]);
		put(cells.error, [row.lastError, row.failedStep, row.since], () => row.lastError
			? h('span', { class: 'clamp', title: row.lastError }, row.failedStep && h('span', { class: 'step' }, stepName(row.failedStep)), ' ',
				plain(row.lastError))
			: h('span', { class: 'unseen' }, 'none'));
		for (const [key, , figure] of columns) {
			if (figure) {
				const content = figure(row);
				if (cells[key].textContent !== content) {
					cells[key].textContent = content;
				}
			}
		}
		cells.errors?.classList.toggle('bad', row.metrics?.errorRate >= 0.05);
	}

	function put(cell, parts, content) {
		const signature = JSON.stringify(parts);
		if (cell.signature !== signature) {
			cell.signature = signature;
			cell.replaceChildren(...[content()].flat());
		}
	}

	/* Arrows walk through the servers, also to those that are not drawn yet. */
	function move(event) {
		const name = event.target.closest('[data-server]')?.dataset.server;
		const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -shown.length, End: shown.length };
		if (!name || !(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) {
			return;
		}
		event.preventDefault();
		const index = shown.findIndex((row) => row.name === name);
		const target = Math.min(shown.length - 1, Math.max(0, index + steps[event.key]));
		const y = body.getBoundingClientRect().top + target * rowHeight;
		const margin = 2 * rowHeight;
		if (y < margin || y + rowHeight > window.innerHeight - 8) {
			window.scrollBy(0, y - (y < margin ? margin : window.innerHeight - rowHeight - 8));
		}
		draw();
		drawn.get(shown[target].name)?.element.querySelector('a').focus({ preventScroll: true });
	}

	function resized() {
		rowHeight = 0;
		request();
	}

	window.addEventListener('scroll', request, { passive: true });
	window.addEventListener('resize', resized);
	show(params);
	return {
		element, heading, title: 'Servers', show, update,
		close() {
			window.removeEventListener('scroll', request);
			window.removeEventListener('resize', resized);
		}
	};
}

export function stepName(step) {
	const words = { DNS: 'DNS', TCP: 'TCP', TLS: 'TLS', HTTP: 'HTTP' };
	return words[step] ?? step.charAt(0) + step.slice(1).toLowerCase().replaceAll('_', ' ');
}
