import { READ_ONLY, gate, get, post, session, writable } from './api.js';
import { ago, announce, copier, e, exact, focus, h, link, notice, paged, section, swap, text, until } from './dom.js';
import { bytes, encode, json, millis, number, plain, span } from './text.js';
import { messagesPanel } from './messages.js';
import { COLUMNS, state, words } from './servers.js';
import { clientSource, hints, promptView, resourceView, templateView, toolView } from './tool.js';
import { tree } from './value.js';

const ACTIONS = { reconnect: 'Reconnect', refresh: 'Refresh', disable: 'Disable', enable: 'Enable', approve: 'Approve' };

/* Key: label, content, the details that it shows, and whether there must be any. */
const TABS = {
	overview: ['Overview', overview, ['states', 'instructions', 'authorization', 'deviations', 'mismatches']],
	tools: ['Tools', toolsPanel, ['tools'], true],
	prompts: ['Prompts', promptsPanel, ['prompts'], true],
	resources: ['Resources', resourcesPanel, ['resources', 'resourceTemplates'], true],
	excluded: ['Excluded', excludedPanel, ['excluded'], true],
	definitions: ['Pins', pinsPanel, ['pins'], true],
	calls: ['Calls', callsPanel, ['calls']],
	messages: ['Messages'],
	configuration: ['Configuration', configuration, ['settings', 'definition']],
	stderr: ['stderr', stderrPanel, ['stderr']],
	doctor: ['Doctor']
};

/* Items to try: tab, details, key, view. */
const SINGLE = [['tools', 'tools', 'originalName', toolView], ['prompts', 'prompts', 'name', promptView], ['resources', 'resources', 'uri', resourceView], ['resources', 'resourceTemplates', 'uriTemplate', templateView]];

export function serverView(store, name, firstTab, firstItem) {
	const url = `servers/${encode(name)}`;
	const base = `#/server/${encode(name)}/`;
	const heading = h('h1', { tabindex: '-1' }, name);
	const chip = e('span');
	const facts = e('div.facts');
	const figures = e('span');
	const trouble = e('div');
	const actions = h('div', { class: 'actions', role: 'group', 'aria-label': 'Actions' });
	const tabs = h('div', { role: 'tablist', class: 'tabs', 'aria-label': `Parts of ${name}`, onkeydown: walk });
	const panel = h('div', { role: 'tabpanel', id: 'panel', class: 'panel', tabindex: '0' }, e('p.muted', 'Loading…'));
	const element = h('article', { 'data-server-page': name }, h('a', { href: '#/' }, '← All servers'),
		e('div.title', heading, chip, actions), facts, trouble, tabs, panel);

	let current = firstTab ?? 'overview';
	let item = firstItem;
	let shown = {};
	let closed = false;
	let loadedAt = 0;
	let details, timer, seen, old, messages, doctor;

	async function load() {
		timer = undefined;
		old = false;
		try {
			details = { tools: [], prompts: [], resources: [], resourceTemplates: [], excluded: [], pins: [], calls: [], states: [], settings: [], ...await get(url) };
			closed || draw();
		}
		catch (error) {
			details || swap(panel, e('p.empty', error.message));
		}
		loadedAt = Date.now();
	}

	function update() {
		const row = store.rows.get(name);
		head(row ?? details);
		if (store.loaded && !row) {
			swap(trouble, e('p.problem', seen || details ? 'This server was removed.' : 'There is no server of this name.'));
		}
		else if (row !== seen) {
			seen = row;
			// details of many tools are large: not reloaded with each call
			if (!timer || old) {
				clearTimeout(timer);
				timer = setTimeout(load, old ? 100 : Math.max(0, loadedAt + (row.tools > 1000 ? 60000 : 4000) - Date.now()));
			}
		}
	}

	function head(row) {
		const { server, metrics, origin, ...others } = row ?? {};
		if (metrics) {
			figures.textContent = COLUMNS.slice(4, 8).map(([, label, figure]) => [figure(row), label.toLowerCase()]).filter(([figure]) => figure).map((parts) => parts.join(' ')).join(' · ');
		}
		row && once('head', [server, others], () => {
			old = true;
			swap(chip, state(row.state), ' ', row.required && e('span.tag', 'required'));
			swap(facts, definitions([
				[words(row.state), ago(row.since)],
				['Target', e('code', row.target)],
				['Transport', [row.type, row.protocolVersion].filter(Boolean).join(' · ')],
				server && ['Server', [text(server.title ?? server.name, 120), ' ', text(server.version ?? '', 40), server.websiteUrl && [' · ', link(server.websiteUrl)]]],
				row.latencyMs !== undefined && ['Latest handshake or ping', millis(row.latencyMs)],
				row.state === 'READY' && ['Attempts to connect', number(row.attempts)],
				row.users && ['Users connected', number(row.users)],
				metrics && ['Figures', figures],
				origin && ['Origin', `${words(origin.kind)} ${origin.location ?? ''}`]
			]));
			swap(trouble, row.lastError && h('div', { class: 'problem', 'data-last-error': '' }, e('p', row.failedStep && e('span.step', `Failed at ${words(row.failedStep)}`), ' ', row.lastError),
				row.nextRetry && h('p', { class: 'sub', 'data-next-attempt': '' }, 'Next attempt ', until(row.nextRetry), `, after ${number(row.attempts)}`)));
			swap(actions, (row.state === 'DISABLED' ? ['enable'] : ['reconnect', row.state === 'READY' && 'refresh', 'disable']).filter(Boolean)
				.map((action) => h('button', { 'data-action': action, 'data-key': action, ...gate(), onclick: () => act(action) }, ACTIONS[action])), !writable() && h('span', { id: 'read-only', class: 'muted' }, READ_ONLY));
		});
	}

	/* Draws what has changed. */
	function once(key, parts, make) {
		const signature = json(parts, 0);
		if (shown[key] !== signature) {
			shown[key] = signature;
			make();
		}
	}

	async function act(action, tools) {
		try {
			const { server, error } = await post(`${url}/actions`, { action, tools });
			store.rows.set(name, server);
			error ? notice(`${ACTIONS[action]} ${name}: ${error}`) : announce(`${ACTIONS[action]} ${name}: done, it is ${server.state.toLowerCase()}`);
			update();
			await load();
		}
		catch (error) {
			notice(`${ACTIONS[action]} ${name}: ${error.message}`);
		}
	}

	function draw() {
		head(store.rows.get(name) ?? details);
		const absent = { messages: !session.messages, stderr: !details.stderr };
		const present = Object.entries(TABS).map(([key, [label, , keys, counted]]) => [key, label, counted && keys.reduce((sum, part) => sum + details[part].length, 0)])
			.filter(([key, , count]) => count !== 0 && !absent[key]);
		if (!present.some(([key]) => key === current)) {
			current = 'overview';
		}
		once('tabs', [current, present], () => swap(tabs, present.map(([key, label, count]) => h('button', {
			role: 'tab', id: `tab-${key}`, 'data-tab': key, 'data-key': `tab ${key}`, 'aria-controls': 'panel', 'aria-selected': String(key === current), tabindex: key === current ? '0' : '-1', onclick: () => go(key)
		}, label, count !== undefined && e('span.number', number(count))))));
		panel.setAttribute('aria-labelledby', `tab-${current}`);
		content();
	}

	function content() {
		facts.hidden = item !== undefined;
		const tab = `${current}/${item ?? ''}`;
		if (shown.tab !== tab) {
			shown = { ...shown, tab, content: undefined };
			messages?.close();
			messages = null;
			panel.replaceChildren();
		}
		const [found, view] = SINGLE.filter(([of]) => of === current && item !== undefined).map(([, all, key, make]) => [details[all].find((one) => encode(one[key]) === encode(item)), make]).find(([one]) => one) ?? [];
		if (found) {
			// a form in use is not redrawn
			once('content', [], () => {
				panel.replaceChildren(e('p', h('a', { href: base + current }, `← All ${current}`)), view(details, name, found));
				focus(panel.querySelector('h2'));
			});
		}
		else if (item !== undefined) {
			once('content', ['absent'], () => swap(panel, e('p.empty', `The server does not list '${plain(item)}' now.`)));
		}
		else if (current === 'messages') {
			messages ??= messagesPanel(panel, name);
		}
		else if (current === 'doctor') {
			doctor ??= doctorPanel(name, url);
			doctor.isConnected || swap(panel, doctor);
		}
		else {
			const [, make, keys] = TABS[current];
			once('content', keys.map((key) => details[key]), () => swap(panel, make(details, `${base}${current}/`, act)));
		}
	}

	function go(key) {
		location.hash = base + key;
	}

	function walk({ key }) {
		const all = [...tabs.children];
		const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
		if (step) {
			const next = all.at((all.indexOf(document.activeElement) + step) % all.length);
			next.focus();
			go(next.dataset.tab);
		}
	}

	load();
	return {
		element, heading, name, title: name, update,
		show(tab, next) {
			const back = item !== undefined && next === undefined;
			current = tab ?? 'overview';
			item = next;
			if (details) {
				draw();
				back && focus(panel);
			}
		},
		close() {
			closed = true;
			clearTimeout(timer);
			messages?.close();
		}
	};
}

function definitions(entries) {
	return e('dl.definitions', entries.filter(Boolean).map(([term, value]) => e('div', e('dt', term), e('dd', value))));
}

function overview({ authorization, deviations, mismatches, states, instructions }) {
	return [authorization && section('Authorization', h('div', { 'data-authorization': '' }, definitions(Object.entries(authorization).map(([key, value]) => [key.charAt(0).toUpperCase() + key.slice(1),
		key === 'expires' ? [until(value), ` · ${exact(value)}`] : Array.isArray(value) ? value.map((part) => [e('code.tag', part), ' ']) : value])))),
	deviations && section('Deviations', paged(deviations, (it) => e('li', e('p.untrusted', `It ${it.summary}: ${it.detail}. ${it.handling}`), e('p.sub', it.count, '×, ', ago(it.lastSeen))), 'deviations')),
	mismatches && section('Declared clients that do not match', paged(mismatches, (it) => e('li', e('p.untrusted', it.method && [e('code', it.method), ': '], it.detail), e('p.sub', it.client)), 'mismatches')),
	section('Timeline', timeline(states)), instructions && section('Instructions of the server', e('blockquote.untrusted', instructions))];
}

function timeline(states) {
	if (!states.length) {
		return e('p.empty', 'Nothing has changed since the start.');
	}
	const sorted = [...states].sort((a, b) => Date.parse(b.since) - Date.parse(a.since))
		.map((change, index, all) => ({ ...change, lasted: index ? Date.parse(all[index - 1].since) - Date.parse(change.since) : undefined }));
	return paged(sorted, ({ state: name, since, lasted, reason }) => h('li', { 'data-change': name },
		state(name), ' ', e('span.muted', ago(since), lasted !== undefined && `, for ${lasted < 1000 ? millis(lasted) : span(lasted)}`), reason && e('p.untrusted', reason)), 'changes', { tag: 'ol' });
}

function items(all, kind, key, base, extra = () => null) {
	return paged(all, (item) => h('li', { [`data-${kind}`]: item[key] }, e('p', h('a', { href: base + encode(item[key]), class: 'name', 'data-key': `${kind} ${item[key]}` }, item[key]), ' ', item.title ?? (key === 'name' ? '' : item.name), ' ', extra(item)),
		item.description && e('p.untrusted.clamped', plain(item.description, 400))), `${kind}s`);
}

function toolsPanel(it, base) {
	const source = clientSource(it.name);
	const place = e('div');
	return it.tools.length ? [source && e('p', copier('Copy as Java', 'client', place, source)), place, items(it.tools.map((tool) => ({ ...tool, name: '' })), 'tool', 'originalName', base, hints)]
		: e('p.empty', it.state === 'READY' ? 'The application gets no tools of this server.' : 'No tools are known yet.');
}

function promptsPanel(it, base) {
	return items(it.prompts, 'prompt', 'name', base);
}

function resourcesPanel({ resources, resourceTemplates }, base) {
	return [resources.length > 0 && section('Resources', items(resources, 'resource', 'uri', base, (item) => e('span.sub', item.mimeType, ' ', typeof item.size === 'number' && bytes(item.size)))),
		resourceTemplates.length > 0 && section('Templates', items(resourceTemplates, 'template', 'uriTemplate', base))];
}

function excludedPanel(it) {
	return [e('p.muted', 'Listed by the server, but excluded from the application.'),
		paged(it.excluded, (item) => h('li', { 'data-excluded': item.originalName }, e('p.name', item.originalName), e('p.untrusted', item.reason)), 'excluded items')];
}

/** Definitions next to the approved ones. Approval is for the displayed hash. */
function pinsPanel(it, base, act) {
	return paged([...it.pins].sort((a, b) => (a.state === 'APPROVED') - (b.state === 'APPROVED')), (pin) => h('li', { 'data-pin': pin.tool, 'data-pin-state': pin.state },
		e('p', e('span.name', pin.tool), ' ', e(`span.tag.${{ APPROVED: 'ok', CHANGED: 'bad' }[pin.state] ?? 'warn'}`, words(pin.state)), ' ', pin.state !== 'APPROVED' && pin.hash && h('button', {
			'data-action': 'approve', 'data-key': `approve ${pin.tool}`, 'aria-label': `Approve the definition of ${pin.tool}`, ...gate(), onclick: () => act('approve', Object.fromEntries([[pin.tool, pin.hash]]))
		}, 'Approve')),
		pin.hash && e('p.sub', e('code', pin.hash)),
		pin.changes?.map((change) => h('div', { class: 'change', 'data-field': change.field }, e('code', change.field),
			e('div.was', e('span.sub', 'approved'), e('pre', change.approved ?? '(absent)')), e('div.is', e('span.sub', 'now'), e('pre', change.listed ?? '(absent)'))))), 'definitions');
}

function callsPanel({ calls }) {
	return calls.length ? paged(calls, (call) => h('li', { 'data-call': call.tool, 'data-outcome': call.outcome },
		e('p', call.outcome === 'success' ? e('span.tag.ok', '✓ success') : e('span.tag.bad', '✕ ', plain(call.outcome)), ' ', e('span.name', call.tool), ' ', millis(call.durationMs), ' ',
			call.repeated && e('span.tag', 'repeated'), ' ', e('span.muted', call.started && ago(call.started))),
		call.error && e('p.untrusted', call.error)), 'calls') : e('p.empty', 'No tool of this server was called since the start.');
}

function configuration({ settings, definition }) {
	return [settings.length > 0 && section('Settings and their origins', paged(settings, ({ name, value, origin }) => h('li', { 'data-setting': name }, e('p', e('code.name', name), ' = ', e('code', String(value))), origin && e('p.sub', origin)), 'settings')),
		definition && section('In effect', e('p.muted', 'With defaults. Headers and variables by name only; sizes in bytes.'), tree(definition))];
}

function stderrPanel(it) {
	return h('pre', { class: 'stderr', tabindex: '0', role: 'region', 'aria-label': 'Last lines of standard error' }, it.stderr.length ? it.stderr.map((line) => [line, '\n']) : 'Nothing was written.');
}

const OUTCOMES = { PASSED: ['✓', 'ok'], WARNING: ['!', 'warn'], FAILED: ['✕', 'bad'], SKIPPED: ['–', ''] };

function doctorPanel(name, url) {
	const result = h('div', { id: 'diagnosis' });
	return e('div', e('p', 'Checks a separate connection step by step. The existing one is unchanged.'), e('p', h('button', {
		class: 'primary', 'data-action': 'diagnose', ...gate(), async onclick() {
			swap(result, e('p.muted', 'Checking step by step…'));
			try {
				const diagnosis = await post(`${url}/diagnosis`, {});
				swap(result, diagnosisOf(diagnosis));
				const failed = diagnosis.steps.filter((step) => step.outcome === 'FAILED');
				announce(failed.length ? `The check failed at ${failed.map((step) => words(step.step)).join(', ')}` : 'The check found no problem');
			}
			catch (error) {
				swap(result);
				notice(`Check ${name}: ${error.message}`);
			}
		}
	}, 'Check this server')), result);
}

function diagnosisOf({ started, durationMs, steps }) {
	return [e('p.muted', 'Checked ', ago(started), `, in ${millis(durationMs)}`), e('ol.steps', joined(steps).map(({ names, outcome, durationMs: took, detail, advice }) => {
		const [icon, kind] = OUTCOMES[outcome] ?? ['?', ''];
		return h('li', { 'data-step': names.join(' '), 'data-outcome': outcome, class: kind },
			e('p', e(`span.tag.${kind}`, h('span', { 'aria-hidden': 'true' }, `${icon} `), words(outcome)), ' ', e('strong', names.map(words).join(', ')), ' ', outcome !== 'SKIPPED' && e('span.muted', millis(took))),
			detail && e('p.untrusted', detail), advice && e('p', e('strong', 'What to do: '), advice));
	}))];
}

/* Combines skipped steps without details. */
function joined(steps) {
	const all = [];
	for (const { step, ...rest } of steps) {
		const silent = rest.outcome === 'SKIPPED' && !rest.detail;
		silent && all.at(-1)?.silent ? all.at(-1).names.push(step) : all.push({ ...rest, silent, names: [step] });
	}
	return all;
}
