// Runs the whole built shop with an empty database and sandbox services: npm run demo
import { runStack } from './stack/run-stack.ts';
import { addressLines } from './stack/site-lines.ts';

await runStack({ mode: 'demo', name: 'demo', fresh: true, port: 8080 }, (stack) => {
  const { portal, api, sandbox, players, sites } = stack;
  process.stderr.write(`The shop is open: ${portal} (Ctrl-C closes it)\n${addressLines(sites)}`);
  process.stdout.write(`${JSON.stringify({ portal, api, sandbox, sites, players })}\n`);
});
