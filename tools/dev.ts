// Runs the shop from its sources with reload on changes and a persistent database: npm run dev
import { runStack } from './stack/run-stack.ts';

await runStack({ mode: 'dev', name: 'dev', fresh: false, port: 5173 }, (stack) => {
  const { portal, api, sandbox, players } = stack;
  process.stderr.write(
    `The shop is open: ${portal} (Ctrl-C closes it, logs in .pointgate/dev/logs)\n`,
  );
  process.stdout.write(`${JSON.stringify({ portal, api, sandbox, players })}\n`);
});
