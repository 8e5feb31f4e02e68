/* Trying a tool, a prompt or a resource: what it takes, a call with its progress, and the result. */

import { READ_ONLY, call, cancel, writable } from './api.js';
import { ago, announce, copyButton, h, id, notice, paged, text } from './dom.js';
import { form } from './form.js';
import { constraints, isObject, properties, requires, resolve, typeName, types, validate } from './schema.js';
import { curl, java } from './snippet.js';
import { encode, json, millis, number, plain } from './text.js';
import { content, resource as resourceOf, tree, value as valueOf } from './value.js';

export function toolView(server, name, tool) {
	const it = tool.annotations ?? {};
	return view(server, name, tool.originalName, {
		about: [h('p', null, tool.title && [h('strong', null, tool.title), ' '], hints(it), !tool.available && h('span', { class: 'tag bad' }, 'not available now'),
			tool.changedAt && h('span', { class: 'tag warn' }, 'definition changed ', ago(tool.changedAt))),
		h('p', { class: 'sub' }, 'In the application: ', h('code', null, tool.name)),
		tool.description && h('p', { class: 'foreign' }, tool.description),
		tool.rule && h('details', null, h('summary', null, 'Rules'), tree(tool.rule)),
		schemaView('Input', tool.inputSchema), tool.outputSchema && schemaView('Output', tool.outputSchema),
		h('details', null, h('summary', null, 'As listed'), tree(tool))],
		schema: tool.inputSchema,
		destructive: it.destructiveHint !== false && it.readOnlyHint !== true,
		request: (given) => [{ kind: 'tool', name: tool.originalName, catalogName: tool.name }, given]
	});
}

export function hints(annotations) {
	const it = annotations ?? {};
	const tags = [];
	if (it.readOnlyHint === true) {
		tags.push(['read-only', 'ok']);
	}
	else {
		tags.push(it.destructiveHint === false ? ['writes', ''] : ['may be destructive', 'warn']);
		if (it.idempotentHint === true) {
			tags.push(['idempotent', '']);
		}
	}
	if (it.openWorldHint === false) {
		tags.push(['closed world', '']);
	}
	return tags.map(([label, kind]) => h('span', { class: `tag ${kind}` }, label));
}

export function promptView(server, name, prompt) {
	const args = prompt.arguments ?? [];
	const schema = { type: 'object', additionalProperties: false, required: args.filter((one) => one.required).map((one) => one.name),
		properties: Object.fromEntries(args.map((one) => [one.name, { type: 'string', description: one.description ?? undefined }])) };
	return view(server, name, prompt.name, { about: describe(prompt), schema, request: (given) => [{ kind: 'prompt', name: prompt.name }, given] });
}

export function resourceView(server, name, resource) {
	return view(server, name, resource.uri, { about: describe(resource), request: () => [{ kind: 'resource', uri: resource.uri }] });
}

/** A template is filled in by its variables. */
export function templateView(server, name, template) {
	const names = [...new Set([...template.uriTemplate.slice(0, 4000).matchAll(/\{[+#./;?&]?([^{}]+)\}/g)].flatMap((found) => found[1].split(',').map(variable)))];
	const schema = { type: 'object', additionalProperties: false, properties: Object.fromEntries(names.map((one) => [one, { type: 'string' }])) };
	return view(server, name, template.uriTemplate, { about: describe(template), schema, request: (given) => [{ kind: 'resource', uri: expand(template.uriTemplate, given) }] });
}

function variable(name) {
	return name.replace(/(\*|:\d+)$/, '');
}

/** RFC 6570, for values that are texts. */
export function expand(template, values) {
	const operators = { '': ['', ','], '+': ['', ','], '#': ['#', ','], '.': ['.', '.'], '/': ['/', '/'], ';': [';', ';'], '?': ['?', '&'], '&': ['&', '&'] };
	return template.replace(/\{([+#./;?&]?)([^{}]+)\}/g, (whole, operator, names) => {
		const [first, separator] = operators[operator];
		const encoded = (text) => ('+#'.includes(operator) && operator ? encodeURI(text) : encode(text).replace(/[!'()*]/g, (sign) => '%' + sign.charCodeAt(0).toString(16).toUpperCase()));
		const parts = names.split(',').map(variable).filter((name) => Object.hasOwn(values, name))
			.map((name) => (';?&'.includes(operator) && operator ? `${name}=` : '') + encoded(String(values[name])));
		return parts.length ? first + parts.join(separator) : '';
	});
}

function describe(item) {
	return [item.title && h('p', null, h('strong', null, item.title)), item.name && item.uri && h('p', null, item.name), item.description && h('p', { class: 'foreign' }, item.description),
		item.mimeType && h('p', { class: 'sub' }, item.mimeType)];
}

/** A schema for readers: each level is made when it is opened, so that one without end has none. */
function schemaView(title, schema) {
	const details = h('details', { class: 'schema', 'data-schema': title.toLowerCase() }, h('summary', null, title));
	details.addEventListener('toggle', () => details.childElementCount === 1 && details.append(level(schema, schema)));
	details.open = !writable();
	return details;
}

function level(given, root) {
	const schema = resolve(given, root);
	const options = [...(Array.isArray(schema.oneOf) ? schema.oneOf : []), ...(Array.isArray(schema.anyOf) ? schema.anyOf : [])];
	const parts = [
		...properties(schema).map(([name, part]) => [name, part, requires(schema, name)]),
		...options.map((part, index) => [`choice ${index + 1}`, part]),
		...(schema.items ? [['items', schema.items]] : []),
		...(isObject(schema.additionalProperties) ? [['other properties', schema.additionalProperties]] : [])
	];
	return parts.length ? paged(parts, ([name, part, required]) => property(name, part, required, root), { label: 'properties', page: 50 }) : h('p', { class: 'muted' }, 'Nothing is said about it.');
}

function property(name, given, required, root) {
	const schema = resolve(given, root);
	const limits = constraints(schema);
	const nested = types(schema).some((type) => type === 'object' || type === 'array') || schema.oneOf || schema.anyOf;
	const inner = nested && h('details', null, h('summary', null, 'Parts'));
	if (inner) {
		inner.addEventListener('toggle', () => inner.childElementCount === 1 && inner.append(level(schema, root)));
	}
	return h('li', { 'data-property': name },
		h('p', null, h('code', { class: 'name' }, plain(name, 200)), ' ', h('span', { class: 'muted' }, plain(typeName(schema, root), 120)), ' ', required && h('span', { class: 'tag' }, 'required')),
		Array.isArray(schema.enum) && h('p', { class: 'sub' }, 'One of ', text(schema.enum.slice(0, 50).map((item) => json(item, 0)).join(', '), 300), schema.enum.length > 50 && ` and ${schema.enum.length - 50} more`),
		limits.length > 0 && h('p', { class: 'sub' }, text(limits.join(' \u00B7 '), 300)),
		schema.description && h('p', { class: 'foreign' }, text(schema.description, 300)), inner);
}

function view(server, name, title, { about, schema, destructive, request }) {
	const place = h('div');
	const raw = h('textarea', { rows: 10, class: 'mono', 'data-json': '', 'aria-label': 'Arguments as JSON', spellcheck: 'false' });
	const wrong = h('div', { role: 'alert' });
	const progress = h('div', { 'data-progress': '' });
	const result = h('section', { id: 'result', 'aria-label': 'Result' });
	const snippets = h('div');
	const reason = id('reason');
	let fields;
	let mode = 'form';
	let running;

	const modes = schema && ['form', 'json'].map((key) => h('button', {
		type: 'button', 'data-mode': key, 'aria-pressed': String(key === mode), onclick: () => change(key)
	}, key === 'form' ? 'Form' : 'JSON'));
	const start = h('button', { type: 'submit', class: 'primary', 'data-action': 'call', disabled: !writable(), 'aria-describedby': writable() ? false : reason }, schema === undefined || !destructive && /^[^{]*:/.test(title) ? 'Read' : 'Call');
	const stop = h('button', { type: 'button', 'data-action': 'cancel', hidden: true, onclick: () => running?.cancel() }, 'Cancel');
	const element = h('form', { 'data-call-form': '', novalidate: true, autocomplete: 'off', onsubmit: (event) => {
		event.preventDefault();
		running ?? run();
	} }, modes && h('div', { class: 'segmented', role: 'group', 'aria-label': 'Arguments as' }, modes), place, wrong,
	h('div', { class: 'actions' }, start, stop, snippet('Copy as Java', 'java', java), snippet('Copy as curl', 'curl', curl), !writable() && h('span', { id: reason, class: 'muted' }, READ_ONLY)), snippets);

	function fill(given) {
		if (!schema) {
			return;
		}
		if (mode === 'form') {
			fields = form(schema, given);
			place.replaceChildren(fields.element);
		}
		else {
			raw.value = json(given ?? {});
			place.replaceChildren(raw);
		}
	}

	/* Switching keeps the values: JSON that cannot be read is not left. */
	function change(next) {
		if (next === mode) {
			return;
		}
		const { value, errors } = read();
		if (errors.some((error) => error.message.startsWith('is not JSON'))) {
			show(errors);
			return;
		}
		mode = next;
		modes.forEach((button) => button.setAttribute('aria-pressed', String(button.dataset.mode === mode)));
		fill(value);
		show([]);
	}

	function read() {
		const errors = [];
		if (!schema) {
			return { errors };
		}
		if (mode === 'form') {
			return { value: fields.read((error) => errors.push(error)) ?? {}, errors };
		}
		try {
			const value = JSON.parse(raw.value.trim() || '{}');
			return { value, errors: isObject(value) ? [] : [{ path: '', message: 'must be an object' }] };
		}
		catch (error) {
			return { errors: [{ path: '', message: `is not JSON: ${error.message}` }] };
		}
	}

	function show(errors) {
		const first = (mode === 'form') ? fields?.show(errors) : raw;
		wrong.replaceChildren();
		raw.setAttribute('aria-invalid', String(errors.length > 0));
		if (errors.length) {
			wrong.append(h('div', { class: 'problem' }, h('p', null, errors.length === 1 ? 'One argument is wrong:' : `${errors.length} arguments are wrong:`),
				h('ul', null, errors.slice(0, 20).map((error) => h('li', null, h('code', null, error.path || 'arguments'), ' ', error.message)))));
			first?.focus();
		}
	}

	function checked() {
		const { value, errors } = read();
		const wrongPaths = new Set(errors.map((error) => error.path));
		const all = schema && value !== undefined ? [...errors, ...validate(schema, value).filter((error) => !wrongPaths.has(error.path))] : errors;
		show(all);
		return all.length ? null : { value };
	}

	/* What is copied need not be complete, but must be read. */
	function snippet(label, kind, make) {
		const made = () => {
			const [what, given] = request(read().value ?? {});
			return make({ ...server, name }, what, given ?? {});
		};
		const button = copyButton(label, made, kind);
		button.addEventListener('click', () => snippets.replaceChildren(h('pre', { 'data-snippet': kind, class: 'snippet', tabindex: '0' }, text(made(), 20000))));
		return button;
	}

	async function run(confirmed = false) {
		const given = checked();
		if (!given || (destructive && !confirmed && !(await confirm(title)))) {
			return;
		}
		const [what, args] = request(given.value ?? {});
		const { catalogName, ...sent } = what;
		const control = new AbortController();
		const begun = performance.now();
		let key;
		let ended = false;
		running = {
			cancel() {
				// closing the stream cancels too, but the answer to this one says how the call ended
				key ? cancel(key).catch(() => control.abort()) : control.abort();
				setTimeout(() => control.abort(), 3000);
			}
		};
		start.setAttribute('aria-disabled', 'true');
		stop.hidden = false;
		result.replaceChildren();
		delete result.dataset.outcome;
		progress.replaceChildren(h('progress', { 'aria-label': 'Progress of the call' }), ' ', h('span', { class: 'muted' }, 'Calling\u2026'));
		announce('Calling');
		try {
			await call(`servers/${encode(name)}/calls`, { ...sent, ...(what.kind === 'resource' ? {} : { arguments: args }), ...(destructive ? { confirmed: true } : {}) }, control.signal, (event, data) => {
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
				failed({ error: 'The connection to the application was cut before the call ended: its outcome is not known.', durationMs: performance.now() - begun });
			}
		}
		catch (error) {
			if (error.status === 428 && !confirmed) {
				done();
				if (await confirm(title)) {
					destructive = true;
					run(true);
				}
				return;
			}
			if (!ended) {
				failed({ error: error.name === 'AbortError' ? 'Cancelled.' : error.message, durationMs: performance.now() - begun, type: error.name === 'AbortError' ? 'cancelled' : undefined, invalid: error.body?.invalid });
			}
		}
		done();
	}

	function done() {
		running = null;
		start.removeAttribute('aria-disabled');
		const focused = document.activeElement === stop;
		stop.hidden = true;
		focused && start.focus();
		progress.replaceChildren();
	}

	function advance(data) {
		const [bar, label] = progress.children;
		if (typeof data.total === 'number' && data.total > 0) {
			bar.max = data.total;
			bar.value = data.progress;
		}
		label.replaceChildren(text(`${number(data.progress)}${data.total ? ` of ${number(data.total)}` : ''} ${data.message ?? ''}`, 200));
	}

	function head(word, kind, data) {
		return h('p', null, h('span', { class: `tag ${kind}` }, word), ' ', h('span', { class: 'muted', 'data-duration': data.durationMs }, millis(data.durationMs)));
	}

	function succeeded(data) {
		result.dataset.outcome = data.isError ? 'error' : 'result';
		result.replaceChildren(head(data.isError ? '\u2715 The tool reports an error' : '\u2713 Result', data.isError ? 'bad' : 'ok', data),
			...[data.description && h('p', { class: 'foreign' }, data.description),
				data.structuredContent !== undefined && data.structuredContent !== null && h('div', { 'data-structured': '' }, h('h3', null, 'Structured'), valueOf(data.structuredContent)),
				data.content && paged(data.content, content, { tag: 'div', page: 20 }),
				data.messages && paged(data.messages, (message) => h('div', null, h('h3', null, message.role), content(message.content)), { tag: 'div', page: 20 }),
				data.contents && paged(data.contents, resourceOf, { tag: 'div', page: 20 })].filter(Boolean));
		announce(`${data.isError ? 'The tool reports an error' : 'Result'} after ${millis(data.durationMs)}`);
	}

	function failed(data) {
		const cancelled = /cancel/i.test(data.type ?? '');
		result.dataset.outcome = cancelled ? 'cancelled' : 'failure';
		result.replaceChildren(head(cancelled ? '\u2013 Cancelled' : '\u2715 Failed', cancelled ? '' : 'bad', data),
			h('div', { class: 'problem' }, data.type && h('p', null, h('strong', null, data.type)), h('p', { class: 'reason' }, data.error)));
		announce(`The call ${cancelled ? 'was cancelled' : 'failed'}: ${plain(data.error, 200)}`);
		if (Array.isArray(data.invalid) && data.invalid.length) {
			show(data.invalid);
		}
	}

	fill();
	return h('div', { class: 'try' }, h('h2', { tabindex: '-1' }, title), about, h('h3', null, 'Try it'), element, progress, result);
}

/** Asks before what may destroy something. Escape says no, and the focus returns. */
function confirm(title) {
	return new Promise((resolve) => {
		const heading = id('dialog');
		const dialog = h('dialog', { 'data-confirm': '', 'aria-labelledby': heading },
			h('h2', { id: heading }, `Call ${plain(title, 80)}?`),
			h('p', null, 'This tool may change or destroy something: the server does not say that it only reads.'),
			h('div', { class: 'actions' },
				h('button', { type: 'button', class: 'primary', 'data-action': 'confirm', onclick: () => dialog.close('yes') }, 'Call it'),
				h('button', { type: 'button', 'data-action': 'decline', autofocus: true, onclick: () => dialog.close('') }, 'Do not call it')));
		dialog.addEventListener('close', () => {
			dialog.remove();
			resolve(dialog.returnValue === 'yes');
		});
		document.body.append(dialog);
		dialog.showModal();
	});
}
