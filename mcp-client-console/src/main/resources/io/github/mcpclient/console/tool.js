/* Trying a tool, a prompt, a resource: what it takes, a call, and its result. */

import { h } from './dom.js';
import { json } from './text.js';

export function toolView(details, server, tool) { return h('div', null, h('h2', { tabindex: '-1' }, tool.originalName), h('pre', null, json(tool))); }
export function promptView(details, server, tool) { return h('div', null, h('h2', { tabindex: '-1' }, tool.name), h('pre', null, json(tool))); }
export function resourceView(details, server, tool) { return h('div', null, h('h2', { tabindex: '-1' }, tool.uri), h('pre', null, json(tool))); }
export function templateView(details, server, tool) { return h('div', null, h('h2', { tabindex: '-1' }, tool.uriTemplate), h('pre', null, json(tool))); }
