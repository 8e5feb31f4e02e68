/* Starts the page: the session, the live data, and what the address asks for. */

import { live, loadSession, session } from './api.js';
import { ago, announce, e, h, notice } from './dom.js';
import { decode, plain } from './text.js';
import { serversView } from './servers.js';
import { serverView } from './server.js';

const store = {
	rows: new Map(),
	loaded: false,
	live: false
};

const main = document.getElementById('main');

let view;

function route() {
	const [path, query = ''] = location.hash.replace(/^#/, '').split(/\?(.*)/s);
	const parts = path.split('/').filter(Boolean).map(decode);
	const params = new URLSearchParams(query);
	if (parts[0] === 'server' && parts[1]) {
		const [, name, tab, item] = parts;
		if (view?.name === name) {
			view.show(tab, item);
			return;
		}
		open(serverView(store, name, tab, item));
	}
	else if (view?.list) {
		view.show(params);
	}
	else {
		open(Object.assign(serversView(store, params), { list: true }));
	}
}

function open(next) {
	const first = !view;
	view?.close();
	view = next;
	main.replaceChildren(view.element);
	document.title = plain(`${view.title} – MCP Console`, 120);
	window.scrollTo(0, 0);
	if (!first) {
		// the keyboard, and those who listen, begin where the new content begins
		view.heading.focus({ preventScroll: true });
	}
	view.update();
}

function merge(data) {
	if (data.full) {
		store.rows.clear();
	}
	data.servers.forEach((row) => {
		const before = store.rows.get(row.name);
		store.rows.set(row.name, row);
		if (before && before.state !== row.state && view?.name === row.name) {
			announce(`${row.name} is ${row.state.toLowerCase()}`);
		}
	});
	(data.removed ?? []).forEach((name) => store.rows.delete(name));
	store.loaded = true;
	view?.update();
}

const connection = document.getElementById('connection');

function connected(status) {
	store.live = status.live;
	document.body.classList.toggle('stale', !status.live);
	if (connection.dataset.connection === 'live' && status.live) {
		return;
	}
	connection.dataset.connection = status.live ? 'live' : 'disconnected';
	clearInterval(connection.timer);
	if (status.live) {
		connection.lost = null;
		connection.removeAttribute('title');
		connection.replaceChildren(h('span', { 'aria-hidden': 'true', class: 'dot' }), 'live');
		return;
	}
	connection.lost ??= new Date().toISOString();
	connection.title = plain(status.reason);
	const countdown = h('span', { 'aria-hidden': 'true' });
	const tick = () => {
		const seconds = Math.ceil((status.retry - Date.now()) / 1000);
		countdown.textContent = seconds > 0 ? `, retrying in ${seconds} s` : ', connecting…';
	};
	tick();
	connection.timer = setInterval(tick, 500);
	connection.replaceChildren(h('span', { 'aria-hidden': 'true', class: 'dot' }), 'disconnected', countdown,
		...(store.loaded ? [e('span.stale-since', '; data of ', ago(connection.lost))] : []));
}

document.getElementById('skip').addEventListener('click', (event) => {
	event.preventDefault();
	(view?.heading ?? main).focus();
});

window.addEventListener('hashchange', route);
window.addEventListener('unhandledrejection', (event) => {
	if (event.reason?.name !== 'AbortError') {
		notice(event.reason?.message ?? 'Something went wrong in this page. Reload it.');
	}
});

async function start() {
	try {
		await loadSession();
	}
	catch (error) {
		notice(error.message);
	}
	document.getElementById('application').append(plain(session.application ?? ''));
	const access = document.getElementById('access');
	access.dataset.access = session.access;
	access.append(session.access === 'unrestricted' ? '' : 'read-only', session.user ? ` ${plain(session.user)}` : '');
	route();
	live(merge, connected);
}

start();
