/* A call in Java and for a shell. Untrusted names and values are quoted and escaped, credentials are placeholders. */

import { escapes, json } from './text.js';
import { isObject } from './schema.js';

const STATELESS = '2026-07-28';

/* A Java compiler reads \u000a as a line break: characters below 32 are octal. */
export function javaString(value) {
	const escaped = String(value).replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')
		.replace(/[\p{C}\p{Z}\p{DI}]/gu, (sign) => (sign === ' ' ? sign : sign < ' ' ? '\\' + sign.charCodeAt(0).toString(8).padStart(3, '0') : escapes(sign)));
	return `"${escaped}"`;
}

function javaValue(value) {
	if (Array.isArray(value)) {
		return `List.of(${value.map(javaValue).join(', ')})`;
	}
	if (isObject(value)) {
		const entries = Object.entries(value).map(([key, item]) => `${javaString(key)}, ${javaValue(item)}`);
		return entries.length > 10 ? `Map.ofEntries(${entries.map((entry) => `Map.entry(${entry})`).join(', ')})` : `Map.of(${entries.join(', ')})`;
	}
	return typeof value === 'string' ? javaString(value) : `${value}${Number.isInteger(value) && Math.abs(value) > 2147483647 ? 'L' : ''}`;
}

/** With `McpToolCatalog tools`, `McpServerRegistry registry`. */
export function java(server, { kind, name, uri, catalogName }, given) {
	if (kind === 'tool') {
		// Map.of rejects null, JSON text does not
		return `McpToolResult result = tools.get(${javaString(catalogName)}).call(${/null/.test(json(given)) ? javaString(JSON.stringify(given)) : javaValue(given)});`;
	}
	const it = `registry.server(${javaString(server.name)})`;
	return kind === 'prompt' ? `GetPromptResult prompt = ${it}.getPrompt(${javaString(name)}, ${javaValue(given)});` : `ReadResourceResult resource = ${it}.readResource(${javaString(uri)});`;
}

/** In single quotes; control characters would be read by the terminal. */
export function shell(word) {
	const seen = String(word).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '?');
	return /^[\w@%+:,./=-]+$/.test(seen) ? seen : `'${seen.replaceAll("'", "'\\''")}'`;
}

/* JSON in ASCII, for terminals of any kind. */
function message(value) {
	return shell(json(value, 0).replace(/[^\x20-\x7e]/g, escapes));
}

/** The same call with curl, or through the pipe of a child process. */
export function curl(server, { kind, name, uri }, given) {
	const version = server.protocolVersion ?? '2025-11-25';
	const stateless = version === STATELESS;
	const clientInfo = { name: 'curl', version: '1' };
	const prefix = 'io.modelcontextprotocol/';
	const meta = stateless ? { _meta: { [`${prefix}protocolVersion`]: version, [`${prefix}clientInfo`]: clientInfo, [`${prefix}clientCapabilities`]: {} } } : {};
	const method = { tool: 'tools/call', prompt: 'prompts/get', resource: 'resources/read' }[kind];
	const call = { jsonrpc: '2.0', id: 2, method, params: { ...(kind === 'resource' ? { uri } : { name, arguments: given }), ...meta } };
	const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: version, capabilities: {}, clientInfo } };
	const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
	if (server.type === 'stdio' || server.type === 'websocket') {
		const command = server.type === 'stdio' ? server.target.split(/\s+/).map(shell).join(' ') : `websocat ${shell(server.target)}`;
		return `(printf '%s\\n' \\\n${(stateless ? [call] : [initialize, initialized, call]).map((each) => `  ${message(each)}`).join(' \\\n')}; sleep 10) | ${command}`;
	}
	const { http, auth = 'none' } = server.definition ?? {};
	const credentials = [...(http?.headers ?? []), ...(auth === 'none' || http?.headers?.some((header) => /^authorization$/i.test(header)) ? [] : ['Authorization'])].filter((header) => /^[\w-]+$/.test(header)).map((header) => `${header}: <${header}>`);
	const post = (body, headers, options = '') => [`curl -sS${options} ${shell(server.target)}`,
		...['Content-Type: application/json', 'Accept: application/json, text/event-stream', ...credentials, ...headers].map((header) => `-H ${header === SESSION ? SESSION : shell(header)}`),
		`--data-binary ${message(body)}`].join(' \\\n  ');
	const protocol = `MCP-Protocol-Version: ${version}`;
	if (stateless) {
		return post(call, [protocol, `Mcp-Method: ${method}`, `Mcp-Name: ${headerValue(name ?? uri)}`]);
	}
	return `session=$(${post(initialize, [], ' -o /dev/null -D -')} \\\n  | tr -d '\\r' | sed -n 's/^mcp-session-id: //Ip')\n${[initialized, call].map((each) => post(each, [protocol, SESSION])).join('\n')}`;
}

/* The shell puts this in: in double quotes. */
const SESSION = '"Mcp-Session-Id: $session"';

/* Other than plain ASCII is in base64. */
function headerValue(value) {
	return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?') ? value : `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(value.slice(0, 4000))))}?=`;
}
