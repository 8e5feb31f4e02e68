/* Text from servers: makes invisible characters visible. */

/* Unchanged: line breaks, tabs, and the two joiners of emoji. */
const ALLOWED = '[\\n\\t]|\\r(?=\\n)|(?<=\\p{Extended_Pictographic})\\uFE0F|\\u200D(?=\\p{Extended_Pictographic})';

/* Controls (as in ANSI escapes), formats (bidi, zero width), halves of pairs, separators, fillers, tags. */
const HIDDEN = new RegExp(`(?:(?!${ALLOWED})[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{DI}\\p{NChar}\\u2800])+|\\p{M}{5,}`, 'gu');

/** Splits a text into `{text}` and `{codes}`, such as `U+202E`, for invisible characters. */
export function reveal(value) {
	const parts = [];
	let end = 0;
	for (const match of value.matchAll(HIDDEN)) {
		if (match.index > end) {
			parts.push({ text: value.slice(end, match.index) });
		}
		parts.push({ codes: codes(match[0]) });
		end = match.index + match[0].length;
	}
	if (end < value.length) {
		parts.push({ text: value.slice(end) });
	}
	return parts;
}

function codes(run) {
	const points = [...run].map((point) => 'U+' + point.codePointAt(0).toString(16).toUpperCase().padStart(4, '0'));
	return points.slice(0, 4).join(' ') + (points[4] ? ` and ${points.length - 4} more` : '');
}

/** The same as one string, shortened, for attributes and the like. */
export function plain(value, limit = 300) {
	const string = asString(value);
	const end = cut(string, limit);
	return reveal(string.slice(0, end)).map((part) => part.text ?? `\u27E8${part.codes}\u27E9`).join('')
		+ (end < string.length ? '…' : '');
}

export function asString(value) {
	return (value !== null && typeof value === 'object') ? json(value, 0) : String(value);
}

/** Where to cut, so that a pair of surrogates stays whole. */
export function cut(string, limit) {
	return (string.length <= limit) ? string.length : /[\uD800-\uDBFF]/.test(string[limit - 1]) ? limit - 1 : limit;
}

/** JSON with invisible characters escaped. Reports values that are too deep for the engine. */
export function json(value, indent = 2) {
	try {
		return JSON.stringify(value, null, indent)?.replace(HIDDEN, escapes) ?? '';
	}
	catch {
		return '(nested too deeply to be shown)';
	}
}

export function escapes(run) {
	return run.replace(/[^\n\t]/g, (unit) => '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0'));
}

/** An address that may be a link, or `null`: absolute, http or https. */
export function webAddress(value) {
	try {
		const url = new URL(value);
		return (typeof value === 'string' && value.length < 4000 && /^https?:$/.test(url.protocol)) ? url.href : null;
	}
	catch {
		return null;
	}
}

/** For this page's address; a name may have halves of pairs. */
export function encode(value) {
	return encodeURIComponent(String(value).replace(/\p{Cs}/gu, '\uFFFD'));
}

export function decode(value) {
	try {
		return decodeURIComponent(value);
	}
	catch {
		return value;
	}
}

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export function number(value, unit = '') {
	return (typeof value === 'number') ? NUMBER.format(value) + unit : '';
}

export function percent(value) {
	return (value > 0 && value < 0.001) ? '<0.1 %' : number(value === undefined ? value : value * 100, ' %');
}

export function millis(value) {
	return (value >= 1000) ? number(value / 1000, ' s') : number(value, ' ms');
}

export function bytes(value) {
	return (value < 1024) ? number(value, ' B') : (value < 1048576) ? number(value / 1024, ' kB') : number(value / 1048576, ' MB');
}

/** The length of a time in one unit or two, such as `3 min` or `2 d 4 h`. */
export function span(ms) {
	const seconds = Math.max(0, Math.round(ms / 1000));
	const two = (large, unit, small, inner) => Math.floor(seconds / large) + unit + (small && Math.floor(seconds % large / small) ? ` ${Math.floor(seconds % large / small)}${inner}` : '');
	return seconds < 60 ? `${seconds} s` : seconds < 3600 ? two(60, ' min') : seconds < 86400 ? two(3600, ' h', 60, ' min') : two(86400, ' d', 3600, ' h');
}
