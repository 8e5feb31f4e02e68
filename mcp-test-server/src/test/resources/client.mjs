// Calls a server by the TypeScript client: client.mjs <transport> <era> <url, or command and arguments>
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [name, era, ...target] = process.argv.slice(2);
const transports = {
  http: () => new StreamableHTTPClientTransport(new URL(target[0]), { requestInit: { headers: { 'X-Key': 'k3y' } } }),
  sse: () => new SSEClientTransport(new URL(target[0])),
  stdio: () => new StdioClientTransport({ command: target[0], args: target.slice(1) }),
};
const client = new Client({ name: 'typescript', version: '1' },
  { capabilities: { sampling: {} }, versionNegotiation: { mode: era } });
client.setRequestHandler('sampling/createMessage', () =>
  ({ role: 'assistant', model: 'small', content: { type: 'text', text: 'yes' } }));
const changed = new Promise((resolve) =>
  client.setNotificationHandler('notifications/tools/list_changed', () => resolve('changed')));

const failure = (promise) => promise.then(() => 'no failure', (error) => error.message);
const text = (result) => result.content[0].text;

await client.connect(transports[name]());
if (client.getProtocolEra() === 'modern') {
  await client.listen({ toolsListChanged: true });
}
console.log(client.getServerVersion().name);
console.log((await client.listTools()).tools.map((tool) => tool.name).join());
console.log(text(await client.callTool({ name: 'echo', arguments: { message: 'hello' } })));
console.log(text(await client.callTool({ name: 'ask', arguments: {} })));
console.log(await failure(client.callTool({ name: 'error', arguments: {} })));
console.log((await client.getPrompt({ name: 'greet' })).messages[0].content.text);
console.log((await client.readResource({ uri: 'file:///a.txt' })).contents[0].text);
console.log(await changed);
await client.close();
