/*
 * A form made from a JSON Schema. What a schema cannot say in fields, or what a value does not fit,
 * is a field of JSON; so is what is nested too deep, or is too much. Optional objects are made when
 * they are wanted, so that a schema which refers to itself ends.
 */

import { e, h, id, text } from './dom.js';
import { asString, json, plain } from './text.js';
import { choices, constraints, escape, fits, isObject, merge, objectOf, properties, requires, resolve, typeName, types } from './schema.js';

const DEPTH = 6;

const FIELDS = 600;

const PER_OBJECT = 150;

const ITEMS = 200;

const COMPOUND = new Set(['object', 'array', 'choice']);

/** Makes a form, of a value or of the defaults; `read(report)` is its value. */
export function form(schema, value) {
	const env = { root: schema, left: FIELDS, fresh: value === undefined };
	const top = resolve(schema, schema);
	const editor = editorOf(types(top).length ? top : { ...top, type: 'object' }, env, 0, value);
	const element = h('div', { class: 'fields', 'data-path': '' }, editor.node, problem());
	const number = () => renumber(editor, '');
	env.changed = number;
	number();
	return {
		element,
		read: (report) => editor.read((message, at) => report({ path: at.closest('[data-path]').dataset.path, message })),
		show: (errors) => show(element, errors)
	};
}

function problem() {
	return h('p', { class: 'field-error', id: id('error'), hidden: true });
}

/* An array's items move up when one is removed, and so do the pointers to them. */
function renumber(editor, path) {
	editor.fields?.().forEach((field, index) => {
		const at = `${path}/${escape(String(field.key() ?? index))}`;
		field.element.dataset.path = at;
		field.editor && renumber(field.editor, at);
	});
}

/** Puts errors at their fields; returns those that have none, and the first field that has one. */
function show(element, errors) {
	const all = [element, ...element.querySelectorAll('[data-path]')];
	const inputOf = (field) => field.querySelector('input:not([type=checkbox]), textarea, select, button');
	all.forEach((field) => {
		const line = [...field.children].find((child) => child.classList.contains('field-error'));
		line.hidden = true;
		line.replaceChildren();
		inputOf(field)?.removeAttribute('aria-invalid');
	});
	let first;
	for (const { path, message } of errors.slice(0, 100)) {
		// the nearest field that there is: one inside JSON has none of its own
		const found = all.filter((field) => path === field.dataset.path || path.startsWith(`${field.dataset.path}/`))
			.sort((a, b) => b.dataset.path.length - a.dataset.path.length)[0] ?? element;
		const line = [...found.children].find((child) => child.classList.contains('field-error'));
		line.hidden = false;
		line.append(line.childNodes.length ? '; ' : '', text(found.dataset.path === path ? message : `${path} ${message}`));
		const input = found === element ? null : inputOf(found);
		input?.setAttribute('aria-invalid', 'true');
		input?.setAttribute('aria-describedby', line.id);
		first ??= input;
	}
	return first;
}

/* A property, an item, or a value of a map: its name, what it takes, and its editor. */
function field(given, name, env, depth, required, initial, { key = () => name, remove } = {}) {
	const schema = resolve(given, env.root);
	const value = (initial === undefined && env.fresh) ? schema.default : initial;
	const inputId = id('field');
	const place = e('div.editor');
	const include = !required && !remove && h('input', {
		type: 'checkbox', 'aria-label': `Send ${name}`, class: 'include', onchange: () => include.checked && make()
	});
	const element = h('div', { class: 'field', 'data-path': '' },
		e('div.field-head', include, h('label', { for: inputId }, name), ' ', e('span.muted', plain(typeName(schema, env.root), 80)), ' ',
			required && e('span.tag', 'required'), remove),
		constraints(schema).length > 0 && e('p.sub', constraints(schema).map((part) => plain(part, 120)).join(' · ')),
		schema.description && e('p.sub.foreign', text(schema.description, 300)),
		place, problem());
	const self = { element, key, editor: null, name, read(report) {
		return (include && !include.checked) ? undefined : self.editor?.read(report);
	} };
	function make() {
		if (self.editor) {
			return;
		}
		self.editor = editorOf(schema, env, depth + 1, value, required && remove === undefined);
		place.replaceChildren(self.editor.node);
		(self.editor.input ?? e('i')).id = inputId;
		if (!self.editor.input) {
			place.setAttribute('role', 'group');
			place.setAttribute('aria-label', plain(name));
		}
		env.changed?.();
	}
	if (include) {
		include.checked = value !== undefined;
		// whoever fills in a field wants it sent
		place.addEventListener('input', () => { include.checked = true; });
	}
	if (!include || include.checked || !COMPOUND.has(kindOf(schema))) {
		make();
	}
	else {
		place.append(h('button', { onclick: () => {
			include.checked = true;
			make();
			place.querySelector('input, textarea, select, button')?.focus();
		} }, `Add ${plain(name, 60)}`));
	}
	return self;
}

function kindOf(schema) {
	if ('const' in schema || Array.isArray(schema.enum)) {
		return 'options';
	}
	const own = types(schema);
	return (choices(schema).length || own.length > 1) ? 'choice' : own[0] ?? 'any';
}

function editorOf(schema, env, depth, value, required) {
	const kind = kindOf(schema);
	if (depth > DEPTH || env.left-- <= 0) {
		return jsonEditor(value);
	}
	switch (kind) {
		case 'options': return optionsEditor('const' in schema ? [schema.const] : schema.enum, [], value, 'const' in schema);
		case 'choice': {
			const given = choices(schema).slice(0, 100).map((choice) => resolve(choice, env.root));
			if (given.length && given.every((choice) => 'const' in choice)) {
				return optionsEditor(given.map((choice) => choice.const), given.map((choice) => choice.title), value);
			}
			const { oneOf, anyOf, ...base } = schema;
			return choiceEditor(given.length ? given.map((choice) => merge(choice, base)) : types(schema).map((type) => ({ ...schema, type, title: type })), env, depth, value);
		}
		case 'object': return (value === undefined || isObject(value)) ? objectEditor(schema, env, depth, value) : jsonEditor(value);
		case 'array': return (value === undefined || Array.isArray(value)) ? arrayEditor(schema, env, depth, value) : jsonEditor(value);
		case 'boolean': return optionsEditor([true, false], [], value);
		case 'null': return optionsEditor([null], [], value, true);
		case 'integer':
		case 'number': return (value === undefined || typeof value === 'number') ? numberEditor(schema, value) : jsonEditor(value);
		case 'string': return (value === undefined || typeof value === 'string') ? stringEditor(schema, value) : jsonEditor(value);
		default: return jsonEditor(value);
	}
}

const FORMATS = { 'date-time': '2026-01-31T12:00:00Z', time: '12:00:00Z', email: 'name@example.com', uri: 'https://example.com/', uuid: '00000000-0000-0000-0000-000000000000' };

function stringEditor(schema, value) {
	const types = { date: 'date', password: 'password' };
	const single = typeof schema.format === 'string';
	const input = single ? h('input', { type: types[schema.format] ?? 'text', placeholder: FORMATS[schema.format] ?? '', autocomplete: 'off' })
		: h('textarea', { rows: schema.maxLength > 200 ? 4 : 1, autocomplete: 'off' });
	let touched = value !== undefined;
	input.value = value ?? '';
	// the browser may have made another text of it: what was given is sent until it is edited
	let exact = value;
	input.addEventListener('input', () => {
		touched = true;
		exact = undefined;
	});
	return { node: input, input, read: () => exact ?? (touched ? input.value : undefined) };
}

function numberEditor(schema, value) {
	const input = h('input', { type: 'text', inputmode: types(schema)[0] === 'integer' ? 'numeric' : 'decimal', autocomplete: 'off', class: 'number' });
	input.value = value ?? '';
	return { node: input, input, read(report) {
		const given = input.value.trim();
		if (given && !/^-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(given)) {
			report('must be a number', input);
			return given;
		}
		return given ? Number(given) : undefined;
	} };
}

function optionsEditor(values, titles, value, only = false) {
	const select = e('select', !only && h('option', { value: '' }, '(choose)'),
		values.slice(0, 1000).map((item, index) => h('option', { value: index }, titles[index] ?? plain(typeof item === 'string' && item ? item : json(item, 0), 120))));
	const index = values.findIndex((item) => json(item, 0) === json(value, 0));
	if (value !== undefined && index < 0) {
		return jsonEditor(value);
	}
	select.value = only ? '0' : (index < 0 ? '' : String(index));
	return { node: select, input: select, read: () => (select.value === '' ? undefined : values[Number(select.value)]) };
}

function choiceEditor(schemas, env, depth, value) {
	let editor;
	const inside = e('div.chosen');
	const select = h('select', { 'aria-label': 'Kind', onchange: () => {
		choose(undefined);
		env.changed?.();
	} }, schemas.map((schema, index) => h('option', { value: index }, plain(schema.title ?? typeName(schema, env.root), 80) || `Choice ${index + 1}`)));
	function choose(given) {
		editor = editorOf(schemas[Number(select.value)], env, depth + 1, given);
		inside.replaceChildren(editor.node);
		editor.input?.setAttribute('aria-label', 'Value');
	}
	if (value !== undefined) {
		const index = schemas.findIndex((schema) => fits(schema, value, env.root));
		if (index < 0) {
			return jsonEditor(value);
		}
		select.value = String(index);
	}
	choose(value);
	return { node: e('div', select, inside), read: (report) => editor.read(report), fields: () => editor.fields?.() ?? [] };
}

function objectEditor(schema, env, depth, value) {
	const known = properties(schema).slice(0, PER_OBJECT);
	const names = new Set(known.map(([name]) => name));
	const fields = known.map(([name, given]) => field(given, name, env, depth, requires(schema, name),
		value !== undefined && Object.hasOwn(value, name) ? value[name] : undefined));
	const others = e('div');
	const rows = [];
	const of = isObject(schema.additionalProperties) ? schema.additionalProperties : {};
	const add = (name, given) => {
		const input = h('input', { type: 'text', 'aria-label': 'Name of the property', placeholder: 'name', oninput: () => env.changed?.() });
		input.value = name;
		const row = field(of, 'value', env, depth, true, given, { key: () => input.value, remove: h('button', {
			class: 'plain', 'aria-label': 'Remove this property', onclick: () => {
				rows.splice(rows.indexOf(row), 1);
				row.element.remove();
				env.changed?.();
				button.focus();
			}
		}, '✕') });
		row.element.prepend(input);
		rows.push(row);
		others.append(row.element);
		env.changed?.();
		return input;
	};
	const open = schema.additionalProperties !== false && (schema.additionalProperties || !known.length || properties(schema).length > PER_OBJECT);
	const button = h('button', { 'data-add': 'property', onclick: () => add('', undefined).focus() }, 'Add a property');
	Object.entries(value ?? {}).filter(([name]) => !names.has(name)).slice(0, ITEMS).forEach(([name, given]) => add(name, given));
	const node = e('div.object', fields.map((item) => item.element), others,
		properties(schema).length > PER_OBJECT && e('p.sub', `${properties(schema).length - PER_OBJECT} more properties can be added by name.`), open && button);
	return { node, fields: () => [...fields, ...rows], read: (report) => objectOf([...fields, ...rows]
		.map((item) => [item.key(), item.read(report)]).filter(([, item]) => item !== undefined)) };
}

function arrayEditor(schema, env, depth, value) {
	const items = [];
	const list = e('div');
	const of = (index) => (Array.isArray(schema.prefixItems) ? schema.prefixItems[index] : undefined) ?? schema.items ?? {};
	const button = h('button', { 'data-add': 'item', onclick: () => add(undefined).element.querySelector('input, textarea, select')?.focus() }, 'Add an item');
	const count = () => {
		button.disabled = items.length >= Math.min(schema.maxItems ?? ITEMS, ITEMS);
		env.changed?.();
	};
	function add(given) {
		const item = field(of(items.length), `Item`, env, depth, true, given, { key: () => null, remove: h('button', {
			class: 'plain', 'aria-label': 'Remove this item', onclick: () => {
				items.splice(items.indexOf(item), 1);
				item.element.remove();
				count();
				button.focus();
			}
		}, '✕') });
		items.push(item);
		list.append(item.element);
		count();
		return item;
	}
	if (value?.length > ITEMS) {
		return jsonEditor(value);
	}
	(value ?? Array.from({ length: Math.min(schema.minItems > 0 ? schema.minItems : 0, 10) })).forEach(add);
	return { node: e('div.array', list, button), fields: () => items, read: (report) => items.map((item) => item.read(report) ?? null) };
}

function jsonEditor(value) {
	const input = h('textarea', { rows: 2, class: 'mono', placeholder: 'JSON, such as "text", 1 or {"a": true}', spellcheck: 'false', autocomplete: 'off' });
	input.value = value === undefined ? '' : json(value);
	return { node: input, input, read(report) {
		if (!input.value.trim()) {
			return undefined;
		}
		try {
			return JSON.parse(input.value);
		}
		catch (error) {
			report(`is not JSON: ${asString(error.message)}`, input);
			return undefined;
		}
	} };
}
