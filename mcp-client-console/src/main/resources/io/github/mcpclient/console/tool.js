/* Trying tools, prompts and resources. */

import { call, cancel, gate, get, session, writable } from './api.js';
import { ago, announce, copier, e, h, id, paged, section, segmented, text } from './dom.js';
import { about as schemaOf, form } from './form.js';
import { choices, isObject, properties, requires, resolve, types, validate } from './schema.js';
import { curl, java } from './snippet.js';
import { encode, json, millis, number, plain } from './text.js';
import { content, resource as resourceOf, tree, unfold, value as valueOf } from './value.js';

export function toolView(server, name, tool) {
	return view(server, name, tool.originalName, {
		about: [e('p', tool.title && [e('strong', tool.title), ' '], hints(tool), e('span.sub', ' In the application: ', e('code', tool.name))), e('p.untrusted', tool.description)],
		more: [schemaView('Input', tool.inputSchema), tool.outputSchema && schemaView('Output', tool.outputSchema), unfold('As listed', () => tree(tool))],
		schema: tool.inputSchema,
		destructive: !harmless(tool),
		client: clientSource(name, tool.originalName),
		request: (given) => [{ kind: 'tool', name: tool.originalName, catalogName: tool.name }, given]
	});
}

/** Loads the Java source of a declared client, if the application has that module. */
export function clientSource(name, tool) {
	return session.declared && (async () => (await get(`servers/${encode(name)}/java${tool === undefined ? '' : `?tool=${encode(tool)}`}`)).source);
}

function harmless({ annotations }) {
	return annotations?.readOnlyHint === true || annotations?.destructiveHint === false;
}

/** The hints of a tool, with the defaults of the protocol, which assume the worst. */
export function hints(tool) {
	const it = tool.annotations ?? {};
	return [
		it.readOnlyHint === true ? e('span.tag.ok', 'read-only') : harmless(tool) ? e('span.tag', 'writes') : e('span.tag.warn', 'may be destructive'),
		it.readOnlyHint !== true && it.idempotentHint === true && e('span.tag', 'idempotent'),
		it.openWorldHint === false && e('span.tag', 'closed world'),
		tool.available === false && e('span.tag.bad', 'not available now'),
		tool.changedAt && e('span.tag.warn', 'definition changed ', ago(tool.changedAt))
	].flatMap((tag) => [tag, ' ']);
}

export function promptView(server, name, prompt) {
	const args = prompt.arguments ?? [];
	const schema = { ...strings(args.map((it) => [it.name, it.description])), required: args.filter((it) => it.required).map((it) => it.name) };
	return view(server, name, prompt.name, { about: describe(prompt), schema, request: (given) => [{ kind: 'prompt', name: prompt.name }, given] });
}

export function resourceView(server, name, resource) {
	return view(server, name, resource.uri, { about: describe(resource), request: () => [{ kind: 'resource', uri: resource.uri }] });
}

/** A template is filled in by its variables. */
export function templateView(server, name, template) {
	const names = new Set([...template.uriTemplate.slice(0, 4000).matchAll(EXPRESSION)].flatMap((found) => variables(found[2])));
	return view(server, name, template.uriTemplate, { about: describe(template), schema: strings([...names].map((it) => [it])), request: (given) => [{ kind: 'resource', uri: expand(template.uriTemplate, given) }] });
}

function strings(entries) {
	return { type: 'object', additionalProperties: false, properties: Object.fromEntries(entries.map(([name, description]) => [name, { type: 'string', description }])) };
}

const EXPRESSION = /\{([+#./;?&]?)([^{}]+)\}/g;

function variables(names) {
	return names.split(',').map((name) => name.replace(/(\*|:\d+)$/, ''));
}

/** RFC 6570, for values that are texts. */
export function expand(template, values) {
	return template.replace(EXPRESSION, (whole, operator, names) => {
		const plain = operator === '+' || operator === '#';
		const parts = variables(names).filter((name) => Object.hasOwn(values, name)).map((name) => (/[;?&]/.test(operator) ? `${name}=` : '') + (plain ? encodeURI : encode)(values[name]));
		return parts.length ? operator.replace('+', '') + parts.join(plain ? ',' : operator.replace('?', '&') || ',') : '';
	});
}

function describe(item) {
	return [item.title && e('p', e('strong', item.title)), item.uri && e('p', item.name), item.description && e('p.untrusted', item.description), e('p.sub', item.mimeType)];
}

/** A schema for readers, whose levels are made when they are opened. */
function schemaView(title, schema) {
	return unfold(title, () => level(schema, schema), { 'data-schema': title.toLowerCase() }, !writable());
}

function level(given, root) {
	const schema = resolve(given, root);
	const parts = [...properties(schema), ...choices(schema).map((part, index) => [`choice ${index + 1}`, part]),
		...[['items', schema.items], ['other properties', schema.additionalProperties]].filter(([, part]) => isObject(part))];
	return parts.length ? paged(parts, ([name, part]) => property(name, resolve(part, root), requires(schema, name), root), 'properties', { page: 50 }) : e('p.muted', 'No description.');
}

function property(name, schema, required, root) {
	const nested = types(schema).some((type) => type === 'object' || type === 'array') || choices(schema).length > 0;
	return h('li', { 'data-property': name }, schemaOf(schema, root, e('code.name', plain(name)), required), nested && unfold('Parts', () => level(schema, root)));
}

function view(server, name, title, { about, more, schema, destructive, client, request }) {
	const place = e('div');
	const raw = h('textarea', { rows: 10, class: 'mono', 'data-json': '', 'aria-label': 'Arguments as JSON', spellcheck: 'false' });
	const wrong = h('div', { role: 'alert' });
	const progress = h('div', { 'data-progress': '' });
	const result = h('section', { id: 'result', 'aria-label': 'Result' });
	const snippets = e('div');
	const side = e('div.outcome', progress, result);
	let mode = 'form';
	let fields, running;

	const modes = schema && segmented('Arguments as', [['form', 'Form', true, { 'data-mode': 'form' }], ['json', 'JSON', false, { 'data-mode': 'json' }]], change);
	const start = h('button', { class: 'primary', 'data-action': 'call', ...gate(), onclick: () => running || run() }, 'Call');
	const stop = h('button', { 'data-action': 'cancel', hidden: true, onclick: () => running?.() }, 'Cancel');
	const element = h('form', { 'data-call-form': '', novalidate: true, autocomplete: 'off', onsubmit(event) {
		event.preventDefault();
		start.click();
	} }, modes, place, wrong, e('div.actions.standing', start, stop, copy('Copy as Java', 'java', java), copy('Copy as curl', 'curl', curl), client && copier('Copy as declared client', 'client', snippets, client)), snippets);

	function copy(label, kind, make) {
		return copier(label, kind, snippets, () => make({ ...server, name }, ...request(read().value)));
	}

	function fill(given) {
		if (mode === 'form') {
			fields = form(schema, given);
		}
		raw.value = json(given ?? {});
		place.replaceChildren(mode === 'form' ? fields.element : raw);
	}

	/* Switching retains the values: invalid JSON prevents it. */
	function change(next) {
		const { value, errors } = read();
		if (errors.some((error) => error.message.startsWith('is not JSON'))) {
			show(errors);
			return false;
		}
		if (next !== mode) {
			mode = next;
			fill(value);
			show([]);
		}
	}

	function read() {
		const errors = [];
		let value = {};
		try {
			value = (mode === 'form') ? fields?.read((error) => errors.push(error)) ?? {} : JSON.parse(raw.value.trim() || '{}');
		}
		catch (error) {
			errors.push({ path: '', message: `is not JSON: ${error.message}` });
		}
		return { value, errors };
	}

	function show(errors) {
		const first = (mode === 'form') ? fields?.show(errors) : raw;
		raw.setAttribute('aria-invalid', String(errors.length > 0));
		wrong.replaceChildren();
		if (errors.length) {
			wrong.append(e('div.problem', e('p', errors.length === 1 ? 'One argument is invalid:' : `${errors.length} arguments are invalid:`),
				e('ul', errors.slice(0, 20).map((error) => e('li', e('code', error.path || 'arguments'), ' ', error.message)))));
			first?.focus();
		}
	}

	async function run() {
		const { value: given, errors } = read();
		const all = errors.length || !schema ? errors : validate({ type: 'object', ...schema }, given, schema);
		show(all);
		if (all.length || (destructive && !(await confirm(title)))) {
			return;
		}
		const [{ catalogName, ...what }, args] = request(given);
		const control = new AbortController();
		const begun = performance.now();
		let key;
		let ended = false;
		running = () => {
			// the response has the outcome of the call
			key ? cancel(key).catch(() => control.abort()) : control.abort();
			setTimeout(() => control.abort(), 3000);
		};
		start.setAttribute('aria-disabled', 'true');
		stop.hidden = false;
		result.replaceChildren();
		delete result.dataset.outcome;
		progress.replaceChildren(h('progress', { 'aria-label': 'Progress of the call' }), ' ', e('span.muted', 'Calling…'));
		side.scrollIntoView({ block: 'nearest' });
		try {
			await call(`servers/${encode(name)}/calls`, { ...what, arguments: args, confirmed: destructive || undefined }, control.signal, (event, data) => {
				if (event === 'started') {
					key = data.id;
				}
				else if (event === 'progress') {
					advance(data);
				}
				else {
					ended = true;
					event === 'result' ? succeeded(data) : failed(data);
				}
			});
			if (!ended) {
				throw new Error('The connection to the application was lost before the call ended: its outcome is unknown.');
			}
		}
		catch (error) {
			if (error.status === 428 && !destructive) {
				// the application knows better than the hints that are shown here
				destructive = true;
				done();
				return run();
			}
			const cancelled = error.name === 'AbortError' && { type: 'cancelled', error: 'The call was cancelled.' };
			ended || failed({ error: error.message, durationMs: performance.now() - begun, ...cancelled });
		}
		return done();
	}

	function done() {
		running = undefined;
		start.removeAttribute('aria-disabled');
		document.activeElement === stop && start.focus();
		stop.hidden = true;
		progress.replaceChildren();
	}

	function advance({ progress: at, total, message = '' }) {
		const [bar, label] = progress.children;
		if (total > 0) {
			bar.max = total;
			bar.value = at;
		}
		label.replaceChildren(text(`${number(at)}${total ? ` of ${number(total)}` : ''} ${message}`, 200));
	}

	function ending(outcome, word, kind, { durationMs }, ...parts) {
		result.dataset.outcome = outcome;
		result.replaceChildren(e('p', e(`span.tag.${kind}`, word), ' ', h('span', { class: 'muted', 'data-duration': durationMs }, `${millis(durationMs)}, at ${new Date().toLocaleTimeString()}`)), ...parts.filter(Boolean));
		side.scrollIntoView({ block: 'nearest' });
		announce(`${word} after ${millis(durationMs)}`);
	}

	function succeeded(data) {
		const items = (list, render) => list && paged(list, render, '', { tag: 'div', page: 20 });
		ending(...(data.isError ? ['error', '✕ The tool reports an error', 'bad'] : ['result', '✓ Result', 'ok']), data,
			data.description && e('p.untrusted', data.description),
			(data.structuredContent ?? undefined) !== undefined && h('div', { 'data-structured': '' }, e('h3', 'Structured'), valueOf(data.structuredContent)),
			items(data.content, content), items(data.messages, (message) => e('div', e('h3', message.role), content(message.content))), items(data.contents, resourceOf));
	}

	function failed(data) {
		ending(...(/cancel/i.test(data.type) ? ['cancelled', '– Cancelled', ''] : ['failure', '✕ Failed', 'bad']), data, e('div.problem', e('p', e('strong', data.type)), e('p.untrusted', data.error)));
		if (data.invalid?.length) {
			show(data.invalid);
		}
	}

	schema && fill();
	return e('div.try', h('h2', { tabindex: '-1' }, title), about, section('Try it', e('div.trial', element, side)), more);
}

/** Confirms a call that may destroy data. Escape declines, and the focus returns. */
function confirm(title) {
	return new Promise((resolve) => {
		const heading = id('dialog');
		const button = (action, label, value) => h('button', { 'data-action': action, autofocus: !value, onclick: () => dialog.close(value) }, label);
		const dialog = h('dialog', { 'data-confirm': '', 'aria-labelledby': heading, onclose() {
			dialog.remove();
			resolve(dialog.returnValue === 'yes');
		} }, h('h2', { id: heading }, `Call ${plain(title, 80)}?`), e('p', 'This tool may change or delete data: the server does not declare it read-only.'),
		e('div.actions', button('confirm', 'Call it', 'yes'), button('decline', 'Do not call it', '')));
		document.body.append(dialog);
		dialog.showModal();
	});
}
