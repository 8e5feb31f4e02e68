/*
 * A form made from a JSON Schema. What does not fit one, or is too deep or too much, is a field of JSON.
 * Optional objects are made when they are wanted, so that a schema which refers to itself ends.
 * An editor is `{node, read(report)}`, with `input` if it is one control, and `fields()` if it has parts.
 */

import { e, h, id, text } from './dom.js';
import { json, plain } from './text.js';
import { choices, constraints, escape, fits, isObject, isType, merge, properties, requires, resolve, typeName, types } from './schema.js';

const DEPTH = 6, FIELDS = 600, PER_OBJECT = 150, ITEMS = 200;

/** Makes a form, of a value or of the defaults. */
export function form(schema, value) {
	const env = { root: schema, left: FIELDS, fresh: value === undefined, changed() {} };
	const top = resolve(schema, schema);
	const editor = editorOf(types(top).length ? top : { ...top, type: 'object' }, env, 0, value);
	const element = h('div', { class: 'fields', 'data-path': '' }, editor.node, problem());
	env.changed = () => renumber(editor, '');
	env.changed();
	return {
		element,
		read: (report) => editor.read((message, at) => report({ path: at.closest('[data-path]').dataset.path, message })),
		show: (errors) => show(element, errors)
	};
}

function problem() {
	return h('p', { class: 'field-error', id: id('error') });
}

/* An array's items move up when one is removed, and so do the pointers to them. */
function renumber(editor, path) {
	editor?.fields?.().forEach((field, index) => {
		const pointer = `${path}/${escape(String(field.key() ?? index))}`;
		field.element.dataset.path = pointer;
		field.editor?.input?.setAttribute('name', pointer);
		renumber(field.editor, pointer);
	});
}

/** Puts errors at the nearest fields; returns the first such control. */
function show(element, errors) {
	const all = new Map([element, ...element.querySelectorAll('[data-path]')].map((field) => [field.dataset.path, {
		line: [...field.children].find((child) => child.className === 'field-error'), input: field === element ? null : field.querySelector('input:not(.include), textarea, select, button')
	}]));
	all.forEach(({ line, input }) => {
		line.replaceChildren();
		input?.removeAttribute('aria-invalid');
	});
	return errors.slice(0, 100).map(({ path, message }) => {
		let at = path;
		while (!all.has(at) && at) {
			at = at.slice(0, at.lastIndexOf('/'));
		}
		const { line, input } = all.get(at);
		line.append(line.firstChild ? '; ' : '', text(at === path ? message : `${path} ${message}`));
		input?.setAttribute('aria-invalid', 'true');
		input?.setAttribute('aria-describedby', line.id);
		return input;
	}).find(Boolean);
}

/* A property, an item, or a value of a map: its name, its type, and its editor. */
function field(given, name, env, depth, required, initial, key = () => name, remove) {
	const schema = resolve(given, env.root);
	const value = (initial === undefined && env.fresh) ? schema.default : initial;
	const inputId = id('field');
	const place = h('div', { class: 'editor', role: 'group', 'aria-label': name });
	const include = h('input', { type: 'checkbox', 'aria-label': `Send ${name}`, class: 'include', onchange: () => include.checked && make() });
	const element = h('div', { class: 'field', 'data-path': '' },
		about(schema, env.root, [!required && include, h('label', { for: inputId }, name)], required && !remove, remove), place, problem());
	const self = { element, key, editor: null, read: (report) => (required || include.checked ? self.editor?.read(report) : undefined) };
	function make() {
		if (!self.editor) {
			self.editor = editorOf(schema, env, depth + 1, value);
			place.replaceChildren(self.editor.node);
			self.editor.input?.setAttribute('id', inputId);
			env.changed();
		}
	}
	include.checked = value !== undefined;
	// a field with a value is sent
	place.addEventListener('input', () => {
		include.checked = true;
	});
	if (required || include.checked || !['object', 'array', 'choice'].includes(kindOf(schema))) {
		make();
	}
	return self;
}

/** The description of a schema, for forms and for readers. */
export function about(schema, root, name, required, ...more) {
	const values = Array.isArray(schema.enum) ? [`one of ${schema.enum.slice(0, 50).map((item) => json(item, 0)).join(', ')}`] : [];
	const limits = [...values, ...constraints(schema)].join(' · ');
	return [e('div.field-head', name, e('span.muted', plain(typeName(schema, root), 80)), required && e('span.tag', 'required'), more),
		limits && e('p.sub', text(limits, 300)), schema.description && e('p.sub.untrusted', text(schema.description, 300))];
}

function kindOf(schema) {
	if ('const' in schema || Array.isArray(schema.enum)) {
		return 'options';
	}
	const own = types(schema);
	return (choices(schema).length || own.length > 1) ? 'choice' : own[0];
}

function editorOf(schema, env, depth, value) {
	const kind = kindOf(schema);
	const fit = value === undefined || (isType(kind, value) && !(value?.length > ITEMS && kind === 'array'));
	switch (depth <= DEPTH && env.left-- > 0 && fit && kind) {
		case 'options': return optionsEditor('const' in schema ? [schema.const] : schema.enum, [], value, 'const' in schema);
		case 'boolean': return optionsEditor([true, false], [], value);
		case 'null': return optionsEditor([null], [], value, true);
		case 'choice': return choiceOf(schema, env, depth, value);
		case 'object': return objectEditor(schema, env, depth, value);
		case 'array': return arrayEditor(schema, env, depth, value);
		case 'integer':
		case 'number': return numberEditor(value);
		case 'string': return stringEditor(schema, value);
		default: return jsonEditor(value);
	}
}

/** A control, whose text is a value in the way of `parse`. */
function control(tag, attributes, value, parse) {
	const input = h(tag, { spellcheck: 'false', autocomplete: 'off', ...attributes });
	input.value = value ?? '';
	return { node: input, input, read: (report) => parse(input.value, (message) => report(message, input)) };
}

const EXAMPLES = { 'date-time': '2026-01-31T12:00:00Z', email: 'name@example.com', uri: 'https://example.com/' };

function stringEditor(schema, value) {
	// unedited values are sent unchanged: the control may have altered them
	let edited = false;
	const format = String(schema.format ?? '');
	return control(format ? 'input' : 'textarea', {
		...(format ? { type: ['date', 'password'].includes(format) ? format : 'text', placeholder: EXAMPLES[format] ?? '' } : { rows: schema.maxLength > 200 ? 4 : 1 }), oninput() {
			edited = true;
		}
	}, value, (string) => (edited ? string : value));
}

function numberEditor(value) {
	return control('input', { type: 'text', inputmode: 'decimal', class: 'narrow' }, value, (given, report) => {
		const string = given.trim();
		if (string && !/^-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(string)) {
			report('must be a number');
			return string;
		}
		return string ? Number(string) : undefined;
	});
}

function jsonEditor(value) {
	return control('textarea', { rows: 2, class: 'mono', placeholder: 'JSON, such as "text", 1 or {"a": true}' }, value === undefined ? '' : json(value), (string, report) => {
		try {
			return string.trim() ? JSON.parse(string) : undefined;
		}
		catch (error) {
			report(`is not JSON: ${error.message}`);
			return undefined;
		}
	});
}

function optionsEditor(values, titles, value, only = false) {
	const index = values.findIndex((item) => json(item, 0) === json(value, 0));
	if (value !== undefined && index < 0) {
		return jsonEditor(value);
	}
	const select = h('select', {}, !only && h('option', { value: '' }, '(choose)'),
		values.slice(0, 1000).map((item, at) => h('option', { value: at }, titles[at] ?? plain(typeof item === 'string' && item ? item : json(item, 0), 120))));
	select.value = only ? '0' : (index < 0 ? '' : String(index));
	return { node: select, input: select, read: () => values[select.value || -1] };
}

function choiceOf(schema, env, depth, value) {
	const { oneOf, anyOf, ...base } = schema;
	const given = choices(schema).slice(0, 100).map((choice) => resolve(choice, env.root));
	if (given.length && given.every((choice) => 'const' in choice)) {
		return optionsEditor(given.map((choice) => choice.const), given.map((choice) => choice.title), value);
	}
	const schemas = given.length ? given.map((choice) => merge(choice, base)) : types(schema).map((type) => ({ ...schema, type, title: type }));
	const index = schemas.findIndex((choice) => fits(choice, value, env.root));
	if (value !== undefined && index < 0) {
		return jsonEditor(value);
	}
	let editor;
	const inside = e('div.chosen');
	const select = h('select', { 'aria-label': 'Kind', onchange() {
		choose(undefined);
		env.changed();
	} }, schemas.map((choice, at) => h('option', { value: at }, plain(choice.title ?? typeName(choice, env.root), 80))));
	function choose(initial) {
		editor = editorOf(schemas[select.value], env, depth + 1, initial);
		inside.replaceChildren(editor.node);
		editor.input?.setAttribute('aria-label', 'Value');
	}
	select.value = String(value === undefined ? 0 : index);
	choose(value);
	return { node: e('div', select, inside), read: (report) => editor.read(report), fields: () => editor.fields?.() ?? [] };
}

/* Parts that can be added and removed. */
function rows(label, env, make, limit = ITEMS) {
	const all = [];
	const list = e('div');
	const button = h('button', { 'data-add': label, onclick: () => add(undefined).element.querySelector('input, textarea, select')?.focus() }, `Add ${label}`);
	const count = () => {
		button.disabled = all.length >= Math.min(limit, ITEMS);
		env.changed();
	};
	function add(given) {
		const row = make(given, h('button', { class: 'more', 'aria-label': `Remove ${label}`, onclick() {
			all.splice(all.indexOf(row), 1);
			row.element.remove();
			count();
			button.focus();
		} }, '✕'));
		all.push(row);
		list.append(row.element);
		count();
		return row;
	}
	return { all, add, list, button };
}

function objectEditor(schema, env, depth, value) {
	const known = properties(schema);
	const drawn = known.slice(0, PER_OBJECT);
	const fields = drawn.map(([name, given]) => field(given, name, env, depth, requires(schema, name), value && Object.hasOwn(value, name) ? value[name] : undefined));
	const others = rows('property', env, (given = ['', undefined], remove) => {
		const input = h('input', { type: 'text', 'aria-label': 'Name of the property', placeholder: 'name', oninput: () => env.changed() });
		input.value = given[0];
		const row = field(schema.additionalProperties, 'value', env, depth, true, given[1], () => input.value, remove);
		row.element.prepend(input);
		return row;
	});
	Object.entries(value ?? {}).filter(([name]) => !drawn.some(([one]) => one === name)).slice(0, ITEMS).forEach(others.add);
	const open = schema.additionalProperties !== false && (schema.additionalProperties || !known.length || known.length > PER_OBJECT);
	const all = () => [...fields, ...others.all];
	return {
		node: e('div.object', fields.map((item) => item.element), others.list, known.length > PER_OBJECT && e('p.sub', `${known.length - PER_OBJECT} more properties can be added by name.`), open && others.button),
		fields: all, read: (report) => Object.fromEntries(all().map((item) => [item.key(), item.read(report)]).filter(([, item]) => item !== undefined))
	};
}

function arrayEditor(schema, env, depth, value) {
	const items = rows('item', env, (given, remove) => field(schema.items, 'Item', env, depth, true, given, () => null, remove), schema.maxItems);
	(value ?? Array.from({ length: Math.min(schema.minItems || 0, 10) })).forEach((item) => items.add(item));
	return { node: e('div.array', items.list, items.button), fields: () => items.all, read: (report) => items.all.map((item) => item.read(report) ?? null) };
}
