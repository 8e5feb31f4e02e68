/*
 * JSON Schema, as far as a form and a reader need it. Schemas come from servers: whatever walks
 * through one does so within a bound, and patterns are left to the application, since the
 * browser's regular expressions can be made to run forever.
 */

import { asString, number } from './text.js';

const HOPS = 20;

export function isObject(value) {
	return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** An object of entries, where a name such as `__proto__` is a name as any other. */
export function objectOf(entries) {
	return Object.fromEntries(entries);
}

export function properties(schema) {
	return isObject(schema.properties) ? Object.entries(schema.properties) : [];
}

export function requires(schema, name) {
	return Array.isArray(schema.required) && schema.required.includes(name);
}

function list(value) {
	return Array.isArray(value) ? value : [];
}

/** The schema itself: references followed, and the parts of `allOf` put together. */
export function resolve(schema, root, budget = { left: HOPS }) {
	if (!isObject(schema)) {
		return (schema === false) ? { not: {} } : {};
	}
	let resolved = schema;
	if (typeof schema.$ref === 'string' && budget.left-- > 0) {
		const { $ref, ...rest } = schema;
		resolved = { ...resolve(find($ref, root), root, budget), ...rest };
	}
	if (Array.isArray(resolved.allOf) && budget.left > 0) {
		const { allOf, ...rest } = resolved;
		resolved = allOf.slice(0, HOPS).filter(() => budget.left-- > 0).reduce(
			(merged, part) => merge(merged, resolve(part, root, budget)), rest);
	}
	return resolved;
}

export function merge(schema, part) {
	const merged = { ...part, ...schema };
	if (schema.properties || part.properties) {
		merged.properties = { ...part.properties, ...schema.properties };
	}
	if (schema.required || part.required) {
		merged.required = [...new Set([...list(schema.required), ...list(part.required)])];
	}
	return merged;
}

/** What a reference within the document names; other documents are not fetched. */
function find(reference, root) {
	if (!reference.startsWith('#')) {
		return {};
	}
	let target = root;
	let pointer = reference.slice(1);
	try {
		pointer = decodeURIComponent(pointer);
	}
	catch {
		// as it is, then
	}
	for (const part of pointer.split('/').slice(1)) {
		const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
		if (target === null || typeof target !== 'object' || !Object.hasOwn(target, name)) {
			return {};
		}
		target = target[name];
	}
	return target;
}

/** The types that a resolved schema allows; empty where it does not say. */
export function types(schema) {
	if (Array.isArray(schema.type)) {
		return schema.type.filter((type) => typeof type === 'string');
	}
	if (typeof schema.type === 'string') {
		return [schema.type];
	}
	if (schema.properties || schema.additionalProperties) {
		return ['object'];
	}
	return (schema.items || schema.prefixItems) ? ['array'] : [];
}

export function choices(schema) {
	const given = Array.isArray(schema.oneOf) ? schema.oneOf : schema.anyOf;
	return Array.isArray(given) ? given : [];
}

export function typeName(schema, root) {
	if ('const' in schema) {
		return 'constant';
	}
	const own = types(schema);
	const names = own.map((type) => {
		if (type !== 'array') {
			return type;
		}
		const items = types(resolve(schema.items, root));
		return items.length ? `array of ${items.join(' or ')}` : 'array';
	});
	if (Array.isArray(schema.enum)) {
		return names.length ? `${names.join(' or ')}, one of ${schema.enum.length}` : `one of ${schema.enum.length}`;
	}
	if (!names.length && choices(schema).length) {
		const of = [...new Set(choices(schema).slice(0, HOPS).flatMap((choice) => types(resolve(choice, root))))];
		return of.length ? of.join(' or ') : `one of ${choices(schema).length}`;
	}
	return names.join(' or ') || 'any';
}

/** What limits a value, in words. */
export function constraints(schema) {
	const words = [];
	const add = (name, say) => {
		if (schema[name] !== undefined && schema[name] !== null) {
			words.push(say(typeof schema[name] === 'number' ? number(schema[name]) : asString(schema[name])));
		}
	};
	add('const', (value) => `always ${asString(JSON.stringify(schema.const))}`);
	add('minimum', (value) => `at least ${value}`);
	add('exclusiveMinimum', (value) => `more than ${value}`);
	add('maximum', (value) => `at most ${value}`);
	add('exclusiveMaximum', (value) => `less than ${value}`);
	add('multipleOf', (value) => `multiple of ${value}`);
	add('minLength', (value) => `at least ${value} characters`);
	add('maxLength', (value) => `at most ${value} characters`);
	add('pattern', (value) => `pattern ${value}`);
	add('format', (value) => `format ${value}`);
	add('contentMediaType', (value) => `content ${value}`);
	add('minItems', (value) => `at least ${value} items`);
	add('maxItems', (value) => `at most ${value} items`);
	add('minProperties', (value) => `at least ${value} properties`);
	add('maxProperties', (value) => `at most ${value} properties`);
	if (schema.uniqueItems === true) {
		words.push('all different');
	}
	if (schema.additionalProperties === false) {
		words.push('no other properties');
	}
	if (schema.deprecated === true) {
		words.push('deprecated');
	}
	if (schema.default !== undefined) {
		words.push(`default ${asString(typeof schema.default === 'string' ? `"${schema.default}"` : schema.default)}`);
	}
	return words;
}

/** What is wrong with a value: `{path, message}`, with JSON pointers. The application checks once more, and all of it. */
export function validate(schema, value, root = schema) {
	const errors = [];
	check(schema, value, '', root, errors, { left: 20000 });
	return errors;
}

function check(given, value, path, root, errors, budget, depth = 0) {
	if (budget.left-- <= 0 || depth > 64 || errors.length >= 100) {
		return;
	}
	const schema = resolve(given, root);
	const fail = (message, at = path) => errors.push({ path: at, message });
	const allowed = types(schema);
	if (given === false || (schema.type && allowed.length && !allowed.some((type) => isType(type, value)))) {
		fail(given === false ? 'is not allowed' : `must be ${article(allowed.join(' or '))}`);
		return;
	}
	if ('const' in schema && !same(schema.const, value)) {
		fail(`must be ${asString(JSON.stringify(schema.const))}`);
	}
	if (Array.isArray(schema.enum) && !schema.enum.some((item) => same(item, value))) {
		fail('must be one of the given values');
	}
	if (typeof value === 'number') {
		checkNumber(schema, value, fail);
	}
	else if (typeof value === 'string') {
		const length = (schema.minLength > 0 || schema.maxLength >= 0) ? [...value].length : 0;
		if (schema.minLength > length) {
			fail(`must have at least ${number(schema.minLength)} characters`);
		}
		if (schema.maxLength < length) {
			fail(`must have at most ${number(schema.maxLength)} characters`);
		}
	}
	else if (Array.isArray(value)) {
		if (schema.minItems > value.length) {
			fail(`must have at least ${number(schema.minItems)} items`);
		}
		if (schema.maxItems < value.length) {
			fail(`must have at most ${number(schema.maxItems)} items`);
		}
		if (schema.uniqueItems === true && new Set(value.map((item) => canonical(item))).size < value.length) {
			fail('must have no item twice');
		}
		const first = list(schema.prefixItems);
		value.forEach((item, index) => {
			const of = first[index] ?? schema.items;
			if (of !== undefined) {
				check(of, item, `${path}/${index}`, root, errors, budget, depth + 1);
			}
		});
	}
	else if (isObject(value)) {
		for (const name of list(schema.required)) {
			if (typeof name === 'string' && !Object.hasOwn(value, name)) {
				fail('is required', `${path}/${escape(name)}`);
			}
		}
		const known = new Map(properties(schema));
		for (const [name, item] of Object.entries(value)) {
			const at = `${path}/${escape(name)}`;
			if (known.has(name)) {
				check(known.get(name), item, at, root, errors, budget, depth + 1);
			}
			else if (!schema.patternProperties && schema.additionalProperties === false) {
				fail('is not a property of the schema', at);
			}
			else if (!schema.patternProperties && isObject(schema.additionalProperties)) {
				check(schema.additionalProperties, item, at, root, errors, budget, depth + 1);
			}
		}
	}
	for (const [name, exactly] of [['anyOf', false], ['oneOf', true]]) {
		const options = list(schema[name]).slice(0, 50);
		if (options.length) {
			const fitting = options.filter((option) => fits(option, value, root, budget, depth));
			// an option that cannot be told apart here, by its pattern, may be told apart by the application
			if (!fitting.length) {
				fail('does not fit any of the choices');
			}
			else if (exactly && fitting.length > 1 && !options.some((option) => asString(option).includes('"pattern"'))) {
				fail(`fits ${fitting.length} of the choices, and may fit only one`);
			}
		}
	}
}

export function fits(schema, value, root, budget = { left: 2000 }, depth = 0) {
	const errors = [];
	check(schema, value, '', root, errors, budget, depth + 1);
	return errors.length === 0;
}

function checkNumber(schema, value, fail) {
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		fail('is too large to be sent exactly');
	}
	if (value < schema.minimum) {
		fail(`must be at least ${number(schema.minimum)}`);
	}
	if (value > schema.maximum) {
		fail(`must be at most ${number(schema.maximum)}`);
	}
	if (typeof schema.exclusiveMinimum === 'number' && value <= schema.exclusiveMinimum) {
		fail(`must be more than ${number(schema.exclusiveMinimum)}`);
	}
	if (typeof schema.exclusiveMaximum === 'number' && value >= schema.exclusiveMaximum) {
		fail(`must be less than ${number(schema.exclusiveMaximum)}`);
	}
	const times = value / schema.multipleOf;
	if (schema.multipleOf > 0 && Math.abs(times - Math.round(times)) > 1e-9 * Math.max(1, Math.abs(times))) {
		fail(`must be a multiple of ${number(schema.multipleOf)}`);
	}
}

function isType(type, value) {
	switch (type) {
		case 'integer': return Number.isInteger(value);
		case 'number': return typeof value === 'number';
		case 'object': return isObject(value);
		case 'array': return Array.isArray(value);
		case 'null': return value === null;
		case 'string': return typeof value === 'string';
		case 'boolean': return typeof value === 'boolean';
		default: return true;
	}
}

function article(type) {
	return (/^[aeiou]/.test(type) ? 'an ' : (type === 'null') ? '' : 'a ') + type;
}

function canonical(value) {
	return JSON.stringify(value, (key, item) => isObject(item)
		? objectOf(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item);
}

export function same(a, b) {
	return a === b || (typeof a === 'object' && typeof b === 'object' && canonical(a) === canonical(b));
}

export function escape(name) {
	return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
