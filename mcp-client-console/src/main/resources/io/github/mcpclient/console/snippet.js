/*
 * A call as a line of Java and of a shell. Names and values are those of a server: each is quoted,
 * and what cannot be seen is escaped, so that nothing of them is read as code. Credentials are placeholders.
 */

import { escapes, json } from './text.js';
import { isObject } from './schema.js';

const MODERN = '2026-07-28';

/* No letter, digit, mark or sign that can be seen; a Java compiler reads \u000a as a line break, so that those below 32 are octal. */
const UNSEEN = /[\p{C}\p{Z}\p{DI}]/gu;

export function javaString(value) {
	const short = { '\n': '\\n', '\t': '\\t', '\r': '\\r', ' ': ' ' };
	return `"${String(value).replace(/[\\"]/g, '\\$&').replace(UNSEEN, (found) => short[found]
		?? (found.charCodeAt(0) < 32 ? '\\' + found.charCodeAt(0).toString(8).padStart(3, '0') : escapes(found)))}"`;
}

function javaValue(value) {
	if (typeof value === 'string') {
		return javaString(value);
	}
	if (Number.isInteger(value)) {
		return Math.abs(value) > 2147483647 ? (Math.abs(value) < 2 ** 63 ? `${BigInt(value)}L` : `${value.toExponential()}`) : String(value);
	}
	if (Array.isArray(value)) {
		return `List.of(${value.map(javaValue).join(', ')})`;
	}
	if (isObject(value)) {
		const entries = Object.entries(value);
		return (entries.length > 10)
			? `Map.ofEntries(${entries.map(([key, item]) => `Map.entry(${javaString(key)}, ${javaValue(item)})`).join(', ')})`
			: `Map.of(${entries.map(([key, item]) => `${javaString(key)}, ${javaValue(item)}`).join(', ')})`;
	}
	return String(value);
}

function hasNull(value) {
	return value === null || (typeof value === 'object' && Object.values(value).some(hasNull));
}

/** For the API of this client: `McpToolCatalog tools`, `McpServerRegistry registry`. */
export function java(server, { kind, name, uri, catalogName }, given) {
	// Map.of takes no null, and a text of JSON does
	const values = () => (hasNull(given) ? javaString(JSON.stringify(given)) : javaValue(given));
	switch (kind) {
		case 'tool': return `McpToolResult result = tools.get(${javaString(catalogName)}).call(${values()});`;
		case 'prompt': return `GetPromptResult prompt = registry.server(${javaString(server.name)}).getPrompt(${javaString(name)}, ${javaValue(given)});`;
		default: return `ReadResourceResult resource = registry.server(${javaString(server.name)}).readResource(${javaString(uri)});`;
	}
}

/** In single quotes a shell reads nothing but the quote itself. */
export function shell(word) {
	const seen = String(word).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '?');
	return /^[\w@%+:,.\/=-]+$/.test(seen) ? seen : `'${seen.replaceAll("'", "'\\''")}'`;
}

/* JSON in ASCII: what is not is escaped, for terminals of any kind. */
function message(value) {
	return shell(json(value, 0).replace(/[^\x20-\x7e]/g, (unit) => '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0')));
}

function request(server, { kind, name, uri }, given) {
	const modern = server.protocolVersion === MODERN;
	const meta = modern ? { _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN,
		'io.modelcontextprotocol/clientInfo': { name: 'curl', version: '1' }, 'io.modelcontextprotocol/clientCapabilities': {} } } : {};
	const method = { tool: 'tools/call', prompt: 'prompts/get', resource: 'resources/read' }[kind];
	return { jsonrpc: '2.0', id: 2, method, params: (kind === 'resource') ? { uri, ...meta } : { name, arguments: given, ...meta } };
}

/** The same call without this client: with curl, or through the pipe of a child process. */
export function curl(server, what, given) {
	const call = request(server, what, given);
	const version = server.protocolVersion ?? '2025-11-25';
	const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: version, capabilities: {}, clientInfo: { name: 'curl', version: '1' } } };
	const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
	const all = version === MODERN ? [call] : [initialize, initialized, call];
	if (server.type === 'stdio' || server.type === 'websocket') {
		const command = server.type === 'stdio' ? server.target.split(/\s+/).map(shell).join(' ') : `websocat ${shell(server.target)}`;
		return `(printf '%s\\n' \\\n${all.map((each) => `  ${message(each)}`).join(' \\\n')}; sleep 10) | ${command}`;
	}
	const http = server.definition?.http ?? {};
	const names = [...(http.headers ?? []), ...(server.definition?.auth && server.definition.auth !== 'none' ? ['Authorization'] : [])];
	const credentials = [...new Set(names.map((name) => name.toLowerCase()))].map((lower) => names.find((name) => name.toLowerCase() === lower))
		.filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)).map((name) => shell(`${name}: <${name}>`));
	const post = (body, headers = [], options = '-sS') => [`curl ${options} ${shell(server.target)}`,
		...[shell('Content-Type: application/json'), shell('Accept: application/json, text/event-stream'), ...credentials, ...headers].map((header) => `-H ${header}`),
		`--data-binary ${message(body)}`].join(' \\\n  ');
	if (server.type === 'sse') {
		return `# the answers arrive on this stream, whose first event has the address to post to\ncurl -sSN ${shell(server.target)} -H 'Accept: text/event-stream'${credentials.map((header) => ` -H ${header}`).join('')} &\n`
			+ all.map((each) => post(each).replace(shell(server.target), "'<address>'")).join('\n');
	}
	const protocol = `${shell(`MCP-Protocol-Version: ${version}`)}`;
	if (version === MODERN) {
		const subject = what.name ?? what.uri;
		return post(call, [protocol, shell(`Mcp-Method: ${call.method}`), shell(`Mcp-Name: ${headerValue(subject)}`)]);
	}
	const session = '-H "Mcp-Session-Id: $session"';
	return `session=$(${post(initialize, [], '-sS -o /dev/null -D -')} \\\n  | tr -d '\\r' | sed -n 's/^mcp-session-id: //Ip')\n`
		+ [initialized, call].map((each) => post(each, [protocol, session.slice(3)])).join('\n');
}

/* As the protocol has it: what is not plain ASCII is in base64. */
function headerValue(value) {
	return (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)) ? value
		: `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(value.slice(0, 4000))))}?=`;
}
