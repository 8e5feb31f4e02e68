// The command that the conformance suite runs as its client: forwards each run to the JVM of the tests, whose port is
// the first argument, and ends with its result. The second identifies the run of the suite, the last is the url of the
// suite's server.
const [port, run, url] = process.argv.slice(2);
const response = await fetch(`http://localhost:${port}/`, {
  method: 'POST',
  body: JSON.stringify({
    scenario: process.env.MCP_CONFORMANCE_SCENARIO,
    run,
    context: JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}'),
    url
  })
});
console.error(await response.text());
process.exitCode = response.ok ? 0 : 1;
