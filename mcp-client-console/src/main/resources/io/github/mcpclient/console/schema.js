/*
 * JSON Schema, as far as a form and a reader need it. Schemas come from servers: walks through one are
 * bounded, and patterns left to the application, since a browser's can be made to run forever.
 */

import { decode, json, number } from './text.js';

const HOPS = 20;

export function isObject(value) {
	return value !== null && typeof value === 'object' && !Array.isArray(value);
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

/** The target of a reference within the document; other documents are not fetched. */
function find(reference, root) {
	if (!reference.startsWith('#')) {
		return {};
	}
	let target = root;
	for (const part of decode(reference).split('/').slice(1)) {
		const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
		if (target === null || typeof target !== 'object' || !Object.hasOwn(target, name)) {
			return {};
		}
		target = target[name];
	}
	return target;
}

/** The types that a resolved schema allows; empty if unspecified. */
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
	const names = types(schema).map((type) => {
		const items = (type === 'array') ? types(resolve(schema.items, root)) : [];
		return items.length ? `array of ${items.join(' or ')}` : type;
	});
	return [...new Set(names.length ? names : choices(schema).slice(0, HOPS).flatMap((choice) => types(resolve(choice, root))))].join(' or ') || (schema.enum ? 'one of these' : 'any');
}

const LIMITS = {
	const: 'always #', minimum: 'at least #', exclusiveMinimum: 'more than #', maximum: 'at most #', exclusiveMaximum: 'less than #', multipleOf: 'a multiple of #',
	minLength: 'at least # characters', maxLength: 'at most # characters', pattern: 'pattern #', format: 'format #',
	minItems: 'at least # items', maxItems: 'at most # items', default: 'default #'
};

function limit(schema, name) {
	const value = schema[name];
	const raw = (typeof value === 'string' && name !== 'default' && name !== 'const') ? value : typeof value === 'number' ? number(value) : json(value, 0);
	return LIMITS[name].replace('#', () => raw);
}

/** The limits of a value, in words. */
export function constraints(schema) {
	return [...Object.keys(LIMITS).filter((name) => schema[name] !== undefined).map((name) => limit(schema, name)),
		...(schema.uniqueItems === true ? ['all different'] : []), ...(schema.additionalProperties === false ? ['no other properties'] : []), ...(schema.deprecated === true ? ['deprecated'] : [])];
}

/** The errors of a value, with JSON pointers. The application validates again. */
export function validate(schema, value, root = schema, budget = { left: 20000 }) {
	const errors = [];
	check(schema, value, '', { root, errors, budget }, 0);
	return errors;
}

export function fits(schema, value, root, budget = { left: 2000 }) {
	return validate(schema, value, root, budget).length === 0;
}

function check(given, value, path, env, depth) {
	if (env.budget.left-- <= 0 || depth > 64 || env.errors.length >= 100) {
		return;
	}
	const schema = resolve(given, env.root);
	const fail = (message, at = path) => env.errors.push({ path: at, message });
	const allowed = types(schema);
	if (given === false) {
		fail('is not allowed');
	}
	else if (schema.type && allowed.length && !allowed.some((type) => isType(type, value))) {
		fail(`must be ${allowed.map((type) => (/^[aeiou]/.test(type) ? 'an ' : type === 'null' ? '' : 'a ') + type).join(' or ')}`);
		return;
	}
	if ('const' in schema && !same(schema.const, value)) {
		fail(`must be ${json(schema.const, 0)}`);
	}
	if (Array.isArray(schema.enum) && !schema.enum.some((item) => same(item, value))) {
		fail('must be one of the given values');
	}
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		fail('is too large to be sent exactly');
	}
	const [measure, of] = (typeof value === 'number') ? [value, 'imum'] : (typeof value === 'string') ? [[...value].length, 'Length'] : [value?.length, 'Items'];
	const ranges = { [`min${of}`]: measure < schema[`min${of}`], [`max${of}`]: measure > schema[`max${of}`], exclusiveMinimum: value <= schema.exclusiveMinimum, exclusiveMaximum: value >= schema.exclusiveMaximum };
	for (const [name, wrong] of Object.entries(ranges)) {
		if (wrong && typeof schema[name] === 'number') {
			fail(`must be ${limit(schema, name)}`.replace(/be (?=.* (characters|items)$)/, 'have '));
		}
	}
	if (Array.isArray(value)) {
		value.forEach((item, index) => {
			if (schema.items !== undefined && !schema.prefixItems) {
				check(schema.items, item, `${path}/${index}`, env, depth + 1);
			}
		});
	}
	else if (isObject(value)) {
		list(schema.required).filter((name) => typeof name === 'string' && !Object.hasOwn(value, name)).forEach((name) => fail('is required', `${path}/${escape(name)}`));
		const known = new Map(properties(schema));
		for (const [name, item] of Object.entries(value)) {
			const of = known.get(name) ?? (schema.patternProperties ? undefined : schema.additionalProperties);
			if (of !== undefined) {
				check(of, item, `${path}/${escape(name)}`, env, depth + 1);
			}
		}
	}
	for (const options of [schema.anyOf, schema.oneOf].map(list)) {
		// one match is enough, even for oneOf: a pattern may distinguish them
		if (options.length && !options.slice(0, 50).some((option) => fits(option, value, env.root, env.budget))) {
			fail('does not fit any of the choices');
		}
	}
}

const TYPES = { __proto__: null, integer: Number.isInteger, array: Array.isArray, object: isObject, null: (value) => value === null };

export function isType(type, value) {
	return TYPES[type]?.(value) ?? (!['string', 'number', 'boolean'].includes(type) || typeof value === type);
}

export function same(a, b) {
	return a === b || (typeof a === 'object' && json(a, 0) === json(b, 0));
}

export function escape(name) {
	return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
