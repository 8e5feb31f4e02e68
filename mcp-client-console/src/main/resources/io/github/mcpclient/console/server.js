/* One server: its state, what it has, what happened to it, and what can be done with it. */

import { ApiError, READ_ONLY, get, post, session, writable } from './api.js';
import { ago, announce, exact, h, id, link, notice, paged, swap, text, until } from './dom.js';
import { bytes, encode, json, millis, number, plain, span } from './text.js';
import { isObject } from './schema.js';
import { messagesPanel } from './messages.js';
import { STATES, state, stepName } from './servers.js';
import { hints, promptView, resourceView, templateView, toolView } from './tool.js';

const ACTIONS = { reconnect: 'Reconnect', refresh: 'Refresh', disable: 'Disable', enable: 'Enable' };

const DONE = { reconnect: 'reconnected', refresh: 'refreshed', disable: 'disabled', enable: 'enabled', approve: 'approved' };

/* Details of many tools are large, and are not asked for with each call that is counted. */
const LARGE = 1000;

/* Key, label, how many there are (0: the tab is absent), and the content. */
const TABS = [
	['overview', 'Overview', () => undefined, overview],
	['tools', 'Tools', (it) => it.tools.length, toolsPanel],
	['prompts', 'Prompts', (it) => it.prompts?.length ?? 0, promptsPanel],
	['resources', 'Resources', (it) => (it.resources?.length ?? 0) + (it.resourceTemplates?.length ?? 0), resourcesPanel],
	['excluded', 'Excluded', (it) => it.excluded?.length ?? 0, excludedPanel],
	['definitions', 'Pins', (it) => it.pins?.length ?? 0, pinsPanel],
	['calls', 'Calls', () => undefined, callsPanel],
	['messages', 'Messages', () => (session.messages > 0 ? undefined : 0), null],
	['configuration', 'Configuration', () => undefined, configuration],
	['stderr', 'stderr', (it) => (it.stderr ? undefined : 0), stderrPanel],
	['doctor', 'Doctor', () => undefined, null]
];

export function serverView(store, name, firstTab, firstItem) {
	const heading = h('h1', { tabindex: '-1' }, name);
	const chip = h('span', { class: 'chip' });
	const facts = h('div', { class: 'facts' });
	const trouble = h('div', { class: 'trouble' });
	const actions = h('div', { class: 'actions', role: 'group', 'aria-label': 'Actions' });
	const tabs = h('div', { role: 'tablist', class: 'tabs', 'aria-label': `Parts of ${name}`, onkeydown: walk });
	const panel = h('div', { role: 'tabpanel', id: 'panel', class: 'panel', tabindex: '0' });
	const element = h('article', { class: 'server', 'data-server-page': name },
		h('nav', { 'aria-label': 'Breadcrumb' }, h('a', { href: '#/' }, '\u2190 All servers')),
		h('div', { class: 'title' }, heading, chip), facts, trouble, actions, tabs, panel);

	let details;
	let current = firstTab ?? 'overview';
	let item = firstItem;
	let shown = {};
	let closed = false;
	let loading = false;
	let again = false;
	let loadedAt = 0;
	let timer;
	let seen;
	let messages;
	let doctor;

	async function load() {
		clearTimeout(timer);
		timer = undefined;
		if (loading) {
			again = true;
			return;
		}
		loading = true;
		try {
			details = await get(`servers/${encode(name)}`);
		}
		catch (error) {
			if (!closed && !details) {
				swap(panel, h('p', { class: 'empty' }, error.status === 404 ? `There is no server '${plain(name)}' any more.` : error.message));
			}
			again = false;
		}
		loading = false;
		loadedAt = Date.now();
		if (!closed && details) {
			draw();
		}
		if (again && !closed) {
			again = false;
			load();
		}
	}

	/* What changed in the row says when the details are old: a state at once, figures at leisure. */
	function update() {
		const row = store.rows.get(name);
		head(row ?? details);
		if (store.loaded && !row) {
			swap(trouble, h('p', { class: 'problem' }, 'This server was removed.'));
		}
		if (row === seen || !row) {
			return;
		}
		const figures = seen && ['state', 'since', 'attempts', 'lastError', 'tools', 'excluded', 'prompts', 'resources', 'users', 'protocolVersion']
			.every((key) => seen[key] === row[key]);
		seen = row;
		const delay = !figures ? 100 : Math.max(0, loadedAt + ((row.tools > LARGE) ? 60000 : 4000) - Date.now());
		if (details && (!timer || !figures)) {
			clearTimeout(timer);
			timer = setTimeout(load, delay);
		}
	}

	function head(row) {
		if (!row) {
			return;
		}
		once('chip', [row.state, row.required], () => chip.replaceChildren(state(row.state), ...(row.required ? [h('span', { class: 'tag' }, 'required')] : [])));
		once('facts', [row.state, row.since, row.type, row.target, row.server, row.protocolVersion, row.origin, row.latencyMs, row.users, row.metrics, row.attempts],
			() => swap(facts, definitions([
				[STATES[row.state]?.word ?? row.state, ago(row.since)],
				['Target', h('code', null, row.target)],
				['Transport', [row.type, row.protocolVersion].filter(Boolean).join(' \u00B7 ')],
				row.server && ['Server', [text(row.server.title ?? row.server.name, 120), ' ', text(row.server.version ?? '', 40),
					row.server.websiteUrl && [' \u00B7 ', link(row.server.websiteUrl, plain(row.server.websiteUrl, 120))]]],
				row.latencyMs !== undefined && ['Connected in', `${millis(row.latencyMs)}${row.attempts > 1 ? `, attempt ${number(row.attempts)}` : ''}`],
				row.users && ['Users connected', number(row.users)],
				row.metrics && ['Calls', `${number(row.metrics.callsPerSecond)}/s \u00B7 p95 ${millis(row.metrics.p95Ms)} \u00B7 ${percentOf(row.metrics)} errors \u00B7 ${number(row.metrics.pending)} pending`],
				row.origin && ['Defined by', originOf(row.origin)]
			])));
		once('trouble', [row.lastError, row.failedStep, row.nextRetry, row.attempts, row.state], () => swap(trouble, row.lastError && h('div', { class: 'problem', 'data-last-error': '' },
			h('p', null, row.failedStep && h('strong', { class: 'step' }, `Failed at ${stepName(row.failedStep)}`), ' ', row.lastError),
			row.nextRetry && h('p', { class: 'sub', 'data-next-attempt': '' }, 'Next attempt ', until(row.nextRetry), `, after ${number(row.attempts)}`))));
		once('actions', [row.state, session.access], () => buttons(row));
	}

	function once(key, parts, make) {
		const signature = json(parts, 0);
		if (shown[key] !== signature) {
			shown[key] = signature;
			make();
		}
	}

	function buttons(row) {
		const reason = id('reason');
		const disabled = row.state === 'DISABLED';
		const possible = disabled ? ['enable'] : ['reconnect', ...(row.state === 'READY' ? ['refresh'] : []), 'disable'];
		swap(actions, possible.map((action) => h('button', {
			type: 'button', 'data-action': action, 'data-key': action, disabled: !writable(), 'aria-describedby': writable() ? false : reason,
			onclick: () => act(action)
		}, ACTIONS[action])), !writable() && h('span', { id: reason, class: 'muted' }, READ_ONLY));
	}

	async function act(action, tools) {
		const pressed = [...element.querySelectorAll('[data-action]')];
		pressed.forEach((button) => button.setAttribute('aria-disabled', 'true'));
		try {
			const answer = await post(`servers/${encode(name)}/actions`, { action, tools });
			if (answer?.server) {
				store.rows.set(name, answer.server);
			}
			if (answer?.error) {
				notice(`${ACTIONS[action] ?? 'Approve'} ${name}: ${answer.error}`);
			}
			else {
				announce(`${name}: ${DONE[action]}. It is ${(answer?.server?.state ?? '').toLowerCase()}`);
			}
			update();
			await load();
		}
		catch (error) {
			notice(`${ACTIONS[action] ?? 'Approve'} ${name}: ${error.message}`);
		}
		pressed.forEach((button) => button.removeAttribute('aria-disabled'));
	}

	function draw() {
		head(store.rows.get(name) ?? details);
		const present = TABS.filter(([, , count]) => count(details) !== 0);
		if (!present.some(([key]) => key === current)) {
			current = 'overview';
		}
		once('tabs', [current, present.map(([key, , count]) => [key, count(details)])], () => swap(tabs, present.map(([key, label, count]) => h('button', {
			type: 'button', role: 'tab', id: `tab-${key}`, 'data-tab': key, 'data-key': `tab ${key}`, 'aria-controls': 'panel',
			'aria-selected': String(key === current), tabindex: key === current ? '0' : '-1', onclick: () => go(key)
		}, label, count(details) !== undefined && h('span', { class: 'number' }, number(count(details)))))));
		panel.setAttribute('aria-labelledby', `tab-${current}`);
		content();
	}

	function content() {
		if (shown.tab !== `${current}/${item ?? ''}`) {
			shown = { ...shown, tab: `${current}/${item ?? ''}`, content: undefined };
			messages?.close();
			messages = null;
			panel.replaceChildren();
		}
		const single = item !== undefined && SINGLE[current]?.(details, item);
		if (single) {
			// a form that is being filled in is left alone; it says so when its tool has changed
			if (shown.content === undefined) {
				shown.content = json(single[0], 0);
				panel.replaceChildren(h('p', null, h('a', { href: `#/server/${encode(name)}/${current}` }, `\u2190 All ${current}`)), single[1](details, name, single[0]));
				panel.querySelector('h2')?.focus({ preventScroll: true });
			}
			else if (shown.content !== json(single[0], 0)) {
				shown.content = json(single[0], 0);
				panel.prepend(h('p', { class: 'problem', role: 'status' }, 'The server lists this differently now. ',
					h('button', { type: 'button', onclick: () => { shown.tab = undefined; content(); } }, 'Show it as it is now')));
			}
			return;
		}
		if (item !== undefined) {
			once('content', ['absent'], () => swap(panel, h('p', { class: 'empty' }, `The server does not list '${plain(item)}' any more.`)));
			return;
		}
		if (current === 'messages') {
			messages ??= messagesPanel(panel, name);
			return;
		}
		if (current === 'doctor') {
			doctor ??= doctorPanel(name);
			if (!doctor.isConnected) {
				swap(panel, doctor);
			}
			return;
		}
		const make = TABS.find(([key]) => key === current)[3];
		once('content', [RELEVANT[current].map((key) => details[key])], () => swap(panel, make(details, { name, act })));
	}

	function go(key) {
		location.hash = `#/server/${encode(name)}/${key}`;
	}

	function walk(event) {
		const all = [...tabs.querySelectorAll('[role=tab]')];
		const index = all.indexOf(document.activeElement);
		const target = { ArrowRight: index + 1, ArrowLeft: index - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
		if (index >= 0 && target !== undefined) {
			event.preventDefault();
			const next = all[target % all.length];
			next.focus();
			go(next.dataset.tab);
		}
	}

	swap(panel, h('p', { class: 'muted' }, 'Loading\u2026'));
	load();
	return {
		element, heading, name, title: name, update,
		show(tab, next) {
			current = tab ?? 'overview';
			const back = item !== undefined && next === undefined;
			item = next;
			if (details) {
				draw();
				if (back) {
					panel.focus({ preventScroll: true });
				}
			}
		},
		close() {
			closed = true;
			clearTimeout(timer);
			messages?.close();
		}
	};
}

/* What each tab shows of the details, so that it is drawn again only when that has changed. */
const RELEVANT = {
	overview: ['states', 'instructions', 'authorization', 'origin'],
	tools: ['tools'],
	prompts: ['prompts'],
	resources: ['resources', 'resourceTemplates'],
	excluded: ['excluded'],
	definitions: ['pins'],
	calls: ['calls'],
	configuration: ['settings', 'definition', 'origin'],
	stderr: ['stderr']
};

/* Those of which one can be tried. */
const SINGLE = {
	tools: (it, name) => entry(it.tools.find((tool) => encode(tool.originalName) === encode(name)), toolView),
	prompts: (it, name) => entry(it.prompts?.find((prompt) => encode(prompt.name) === encode(name)), promptView),
	resources: (it, name) => entry(it.resources?.find((resource) => encode(resource.uri) === encode(name)), resourceView)
		?? entry(it.resourceTemplates?.find((template) => encode(template.uriTemplate) === encode(name)), templateView)
};

function entry(found, view) {
	return found && [found, view];
}

function percentOf(metrics) {
	return metrics.errorRate === undefined ? '\u2013' : `${number(metrics.errorRate * 100)} %`;
}

function originOf(origin) {
	const kinds = { CONFIGURED: 'properties', IMPORTED: 'an imported file', BEAN: 'a bean', ADDED: 'code, at runtime' };
	return (kinds[origin.kind] ?? origin.kind ?? '') + (origin.location ? `: ${origin.location}` : '');
}

function definitions(entries) {
	return h('dl', { class: 'definitions' }, entries.filter(Boolean).map(([term, value]) => h('div', null, h('dt', null, term), h('dd', null, value))));
}

function section(title, ...content) {
	const label = id('section');
	return h('section', { 'aria-labelledby': label }, h('h2', { id: label }, title), content);
}

function overview(it) {
	return [
		it.authorization && section('Authorization', authorization(it.authorization)),
		section('Timeline', timeline(it.states ?? [])),
		it.instructions && section('Instructions of the server', h('blockquote', { class: 'foreign' }, it.instructions))
	];
}

function authorization(it) {
	const { type, scopes, expires, user, ...others } = it;
	return h('div', { 'data-authorization': '' }, definitions([
		type && ['Type', type],
		scopes && ['Scopes', scopes.length ? scopes.map((scope) => [h('code', { class: 'tag' }, scope), ' ']) : 'none'],
		expires && [Date.parse(expires) < Date.now() ? 'Token expired' : 'Token expires', [until(expires), ` \u00B7 ${exact(expires)}`]],
		user && ['User', user],
		...Object.entries(others).map(([key, value]) => [key, isObject(value) || Array.isArray(value) ? json(value, 0) : String(value)])
	]));
}

/** The latest states, each with how long it lasted. */
function timeline(states) {
	if (!states.length) {
		return h('p', { class: 'empty' }, 'Nothing has changed since the start.');
	}
	const sorted = [...states].sort((a, b) => Date.parse(b.since) - Date.parse(a.since));
	const lasted = (index) => (index === 0) ? null : Date.parse(sorted[index - 1].since) - Date.parse(sorted[index].since);
	const stripe = h('div', { class: 'stripe', 'aria-hidden': 'true' }, sorted.map((change, index) => {
		const part = h('span', { class: `part ${STATES[change.state] ? change.state.toLowerCase() : ''}`, title: `${change.state} ${exact(change.since)}` });
		// by the logarithm of its time, or a long one would hide the short ones
		part.style.setProperty('flex-grow', String(Math.log10(10 + (lasted(index) ?? Date.now() - Date.parse(change.since)) / 100)));
		return part;
	}).reverse());
	return [stripe, paged(sorted.map((change, index) => ({ ...change, lasted: lasted(index) })), (change) => h('li', { 'data-change': change.state },
		state(change.state), ' ', h('span', { class: 'when' }, ago(change.since), change.lasted === null ? '' : `, for ${change.lasted < 1000 ? millis(change.lasted) : span(change.lasted)}`),
		change.reason && h('p', { class: 'reason' }, change.reason)), { tag: 'ol', label: 'Changes of the state' })];
}

function toolsPanel(it, { name }) {
	return it.tools.length ? paged(it.tools, (tool) => h('li', { 'data-tool': tool.originalName },
		h('p', null, h('a', { href: `#/server/${encode(name)}/tools/${encode(tool.originalName)}`, class: 'name', 'data-key': `tool ${tool.originalName}` }, tool.originalName), ' ',
			tool.title && h('span', null, tool.title, ' '), hints(tool.annotations), !tool.available && h('span', { class: 'tag bad' }, 'not available'),
			tool.changedAt && h('span', { class: 'tag warn' }, 'definition changed ', ago(tool.changedAt))),
		tool.description && h('p', { class: 'foreign clamped' }, plain(tool.description, 400))),
	{ label: 'tools', filter: (tool) => `${tool.originalName} ${tool.title ?? ''} ${(tool.description ?? '').slice(0, 1000)}` })
		: h('p', { class: 'empty' }, it.state === 'READY' ? 'The application gets no tools of this server.' : 'No tools are known yet.');
}

function promptsPanel(it, { name }) {
	return paged(it.prompts, (prompt) => h('li', { 'data-prompt': prompt.name },
		h('p', null, h('a', { href: `#/server/${encode(name)}/prompts/${encode(prompt.name)}`, class: 'name', 'data-key': `prompt ${prompt.name}` }, prompt.name), ' ', prompt.title),
		prompt.description && h('p', { class: 'foreign clamped' }, plain(prompt.description, 400)),
		prompt.arguments?.length > 0 && h('p', { class: 'sub' }, 'Arguments: ', prompt.arguments.slice(0, 20).map((argument) => plain(argument.name, 80) + (argument.required ? '' : '?')).join(', '))),
	{ label: 'prompts', filter: (prompt) => `${prompt.name} ${prompt.title ?? ''}` });
}

function resourcesPanel(it, { name }) {
	const line = (kind, uri) => (resource) => h('li', { [`data-${kind}`]: resource[uri] },
		h('p', null, h('a', { href: `#/server/${encode(name)}/resources/${encode(resource[uri])}`, class: 'name', 'data-key': `${kind} ${resource[uri]}` }, resource[uri]), ' ',
			resource.title ?? resource.name),
		h('p', { class: 'sub' }, [resource.mimeType, resource.size !== undefined && resource.size !== null && bytes(resource.size)].filter(Boolean).map((part) => plain(part, 100)).join(' \u00B7 ')),
		resource.description && h('p', { class: 'foreign clamped' }, plain(resource.description, 400)));
	return [
		it.resources?.length > 0 && section('Resources', paged(it.resources, line('resource', 'uri'), { label: 'resources', filter: (resource) => `${resource.uri} ${resource.name ?? ''} ${resource.title ?? ''}` })),
		it.resourceTemplates?.length > 0 && section('Templates', paged(it.resourceTemplates, line('template', 'uriTemplate'), { label: 'templates', filter: (template) => `${template.uriTemplate} ${template.name ?? ''}` }))
	];
}

function excludedPanel(it) {
	return [h('p', { class: 'muted' }, 'The server lists these, and the application does not get them.'),
		paged(it.excluded, (excluded) => h('li', { 'data-excluded': excluded.originalName }, h('p', { class: 'name' }, excluded.originalName), h('p', { class: 'reason' }, excluded.reason)),
			{ label: 'excluded items', filter: (excluded) => `${excluded.originalName} ${excluded.reason}` })];
}

const PIN_STATES = { APPROVED: ['approved', 'ok'], CHANGED: ['changed', 'bad'], NEW: ['new', 'warn'], UNKNOWN: ['unknown', 'warn'] };

/** Definitions beside the approved ones. What is approved is the hash that is shown here, and no other. */
function pinsPanel(it, { act }) {
	const order = ['CHANGED', 'NEW', 'UNKNOWN', 'APPROVED'];
	const pins = [...it.pins].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
	const reason = id('reason');
	return [!writable() && h('p', { id: reason, class: 'muted' }, READ_ONLY), paged(pins, (pin) => {
		const [word, kind] = PIN_STATES[pin.state] ?? [pin.state, ''];
		return h('li', { 'data-pin': pin.tool, 'data-pin-state': pin.state },
			h('p', null, h('span', { class: 'name' }, pin.tool), ' ', h('span', { class: `tag ${kind}` }, word), ' ',
				pin.state !== 'APPROVED' && pin.hash && h('button', {
					type: 'button', 'data-action': 'approve', 'data-key': `approve ${pin.tool}`, disabled: !writable(), 'aria-describedby': writable() ? false : reason,
					'aria-label': `Approve the definition of ${pin.tool}`, onclick: () => act('approve', Object.fromEntries([[pin.tool, pin.hash]]))
				}, 'Approve')),
			pin.hash && h('p', { class: 'sub hash' }, h('code', null, pin.hash)),
			pin.changes?.length > 0 && h('div', { class: 'changes' }, pin.changes.map((change) => h('div', { class: 'change', 'data-field': change.field },
				h('code', { class: 'field' }, change.field),
				h('div', { class: 'was' }, h('span', { class: 'sub' }, 'approved'), h('pre', null, change.approved ?? '(absent)')),
				h('div', { class: 'is' }, h('span', { class: 'sub' }, 'now'), h('pre', null, change.listed ?? '(absent)'))))));
	}, { label: 'definitions', filter: (pin) => pin.tool })];
}

function callsPanel(it) {
	if (!it.calls?.length) {
		return h('p', { class: 'empty' }, 'No tool of this server was called since the start.');
	}
	return paged(it.calls, (call) => h('li', { 'data-call': call.tool, 'data-outcome': call.outcome },
		h('p', null, call.outcome === 'success' ? h('span', { class: 'tag ok' }, '\u2713 success') : h('span', { class: 'tag bad' }, '\u2715 ', call.outcome), ' ',
			h('span', { class: 'name' }, call.tool), ' ', h('span', { class: 'figure' }, millis(call.durationMs)), ' ',
			call.repeated && h('span', { class: 'tag' }, 'repeated'), ' ', h('span', { class: 'when' }, ago(call.started))),
		call.error && h('p', { class: 'reason' }, call.error)), { label: 'calls', filter: (call) => `${call.tool} ${call.outcome}` });
}

function configuration(it) {
	const settings = it.settings ?? [];
	return [
		settings.length > 0 && section('Settings and where they come from', paged(settings, (setting) => h('li', { 'data-setting': setting.name },
			h('p', null, h('code', { class: 'name' }, setting.name), ' = ', h('code', null, String(setting.value ?? ''))),
			setting.origin && h('p', { class: 'sub' }, setting.origin)), { label: 'settings', filter: (setting) => `${setting.name} ${setting.origin ?? ''}` })),
		it.definition && section('In effect', h('p', { class: 'muted' }, 'With defaults. Of headers and variables the names only; sizes in bytes.'),
			paged(flat(it.definition), ([name, value]) => h('li', { 'data-effective': name }, h('p', null, h('code', { class: 'name' }, name), ' = ', h('code', null, value))),
				{ label: 'settings in effect', filter: ([name]) => name }))
	];
}

function flat(value, prefix = '') {
	return Object.entries(value).flatMap(([key, item]) => isObject(item) && Object.keys(item).length
		? flat(item, `${prefix}${key}.`) : [[prefix + key, Array.isArray(item) ? item.map((part) => isObject(part) ? json(part, 0) : String(part)).join(', ') || '(none)' : isObject(item) ? '(none)' : String(item)]]);
}

function stderrPanel(it) {
	return it.stderr.length ? [h('p', { class: 'muted' }, `The last ${it.stderr.length} lines of standard error.`),
		h('pre', { class: 'stderr', tabindex: '0', role: 'region', 'aria-label': 'Standard error' }, it.stderr.map((line) => [text(line), '\n']))]
		: h('p', { class: 'empty' }, 'The process has written nothing to standard error.');
}

const OUTCOMES = { PASSED: ['\u2713', 'passed', 'ok'], WARNING: ['!', 'warning', 'warn'], FAILED: ['\u2715', 'failed', 'bad'], SKIPPED: ['\u2013', 'skipped', ''] };

function doctorPanel(name) {
	const reason = id('reason');
	const result = h('div', { 'aria-busy': 'false', id: 'diagnosis' });
	const button = h('button', {
		type: 'button', class: 'primary', 'data-action': 'diagnose', disabled: !writable(), 'aria-describedby': writable() ? false : reason, onclick: async () => {
			if (result.getAttribute('aria-busy') === 'true') {
				return;
			}
			result.setAttribute('aria-busy', 'true');
			result.replaceChildren(h('p', { class: 'muted' }, 'Checking step by step\u2026'));
			try {
				const diagnosis = await post(`servers/${encode(name)}/diagnosis`, {});
				result.replaceChildren(...diagnosisOf(diagnosis));
				const failed = diagnosis.steps.filter((step) => step.outcome === 'FAILED');
				announce(failed.length ? `The check failed at ${failed.map((step) => stepName(step.step)).join(', ')}` : 'The check found no fault');
			}
			catch (error) {
				result.replaceChildren();
				notice(`Check ${name}: ${error instanceof ApiError ? error.message : 'It failed.'}`);
			}
			result.setAttribute('aria-busy', 'false');
		}
	}, 'Check this server');
	return h('div', { class: 'doctor' }, h('p', null, 'Connects anew, step by step, beside the connection in use, which it leaves alone.'),
		h('p', null, button, ' ', !writable() && h('span', { id: reason, class: 'muted' }, READ_ONLY)), result);
}

function diagnosisOf(diagnosis) {
	return [
		h('p', { class: 'muted' }, 'Checked ', ago(diagnosis.started), `, in ${millis(diagnosis.durationMs)}`),
		h('ol', { class: 'steps' }, diagnosis.steps.map((step) => {
			const [icon, word, kind] = OUTCOMES[step.outcome] ?? ['?', step.outcome, ''];
			return h('li', { 'data-step': step.step, 'data-outcome': step.outcome, class: kind },
				h('p', null, h('span', { class: `tag ${kind}` }, h('span', { 'aria-hidden': 'true' }, `${icon} `), word), ' ', h('strong', null, stepName(step.step)), ' ',
					step.outcome !== 'SKIPPED' && h('span', { class: 'figure muted' }, millis(step.durationMs))),
				step.detail && h('p', { class: 'detail' }, step.detail),
				step.advice && h('p', { class: 'advice' }, h('strong', null, 'What to do: '), step.advice));
		}))
	];
}
