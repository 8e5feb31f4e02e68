// The command that the conformance suite runs as its client: forwards each run to the JVM of the tests, whose port is
// the first argument, and ends with its result. The second identifies the run of the suite, the last is the url of the
// suite's server. Not with fetch, which takes longer to load than all else: the suite runs this for each scenario.
import { request } from 'node:http';

const [port, run, url] = process.argv.slice(2);
request({ port, method: 'POST' }, (response) => {
  process.exitCode = response.statusCode === 200 ? 0 : 1;
  response.pipe(process.stderr);
}).end(JSON.stringify({
  scenario: process.env.MCP_CONFORMANCE_SCENARIO,
  run,
  context: JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}'),
  url
}));
