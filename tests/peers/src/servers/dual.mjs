// A server of the TypeScript SDK: of both eras of the protocol, or of the newer one alone.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const [transport, era] = process.argv.slice(2);
let bumped = false;

function dual() {
  const server = new McpServer({ name: 'dual', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
  server.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) },
    async ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }));
  server.registerTool('confirm', { inputSchema: z.object({}) }, async (_, context) => {
    const answer = context?.mcpReq?.inputResponses?.confirm;
    return answer ? { content: [{ type: 'text', text: JSON.stringify(answer) }] } : inputRequired({
      inputRequests: {
        confirm: inputRequired.elicit({
          message: 'Sure?',
          requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
        }),
      },
      requestState: 'opaque',
    });
  });
  if (bumped) {
    server.registerTool('bumped', { inputSchema: z.object({}) }, async () => ({ content: [] }));
  }
  return server;
}

const options = era === 'modern' ? { legacy: 'reject' } : {};
if (transport === 'stdio') {
  serveStdio(dual, options);
} else {
  const handler = createMcpHandler(dual, options);
  const serve = toNodeHandler(handler);
  createServer((request, response) => {
    if (request.url === '/bump') {
      bumped = true;
      handler.notify.toolsChanged();
      response.end('ok');
    } else {
      serve(request, response);
    }
  }).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening'));
}
