/* Starts the page: the session, the live data, and the view of the address. */

import { live, loadSession, session } from './api.js';
import { ago, announce, byId, e, h, notice } from './dom.js';
import { decode, plain } from './text.js';
import { serversView } from './servers.js';
import { serverView } from './server.js';

const store = {
	rows: new Map(),
	loaded: false
};

const main = byId('main');

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
	const before = view;
	view?.close();
	view = next;
	main.replaceChildren(view.element);
	document.title = plain(`${view.title} – MCP Console`, 120);
	scrollTo(0, 0);
	// keyboards and screen readers start at the new content
	before && focus(view.heading);
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
	store.reloadFailure = data.reloadFailure;
	view?.update();
}

const connection = byId('connection');

let lost, timer;

function connected({ live: up, reason = '', retry }) {
	document.body.classList.toggle('stale', !up);
	if (up && connection.dataset.connection === 'live') {
		return;
	}
	clearInterval(timer);
	lost = up ? undefined : lost ?? new Date().toISOString();
	connection.dataset.connection = up ? 'live' : 'disconnected';
	connection.title = plain(reason);
	const countdown = h('span', { 'aria-hidden': 'true' });
	connection.replaceChildren(e('span.dot'), up ? 'live' : 'disconnected', countdown, ...(lost && store.loaded ? ['; data of ', ago(lost)] : []));
	const tick = () => {
		countdown.textContent = retry > Date.now() ? `, retrying in ${Math.ceil((retry - Date.now()) / 1000)} s` : ', connecting…';
	};
	if (!up) {
		tick();
		timer = setInterval(tick, 500);
	}
}

byId('skip').addEventListener('click', (event) => {
	event.preventDefault();
	(view?.heading ?? main).focus();
});

addEventListener('hashchange', route);
addEventListener('unhandledrejection', (event) => notice(`Something went wrong in this page: ${event.reason?.message}`));

async function start() {
	try {
		await loadSession();
	}
	catch (error) {
		notice(error.message);
	}
	byId('application').append(plain(session.application ?? ''));
	const access = byId('access');
	access.dataset.access = session.access;
	access.append(session.access === 'unrestricted' ? '' : 'read-only', session.user ? ` ${plain(session.user)}` : '');
	route();
	live(merge, connected);
}

start();
