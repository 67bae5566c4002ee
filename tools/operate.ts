// Runs an operator command on the running demo, or else on the running dev shop:
// npm run operate -- cases
// For another shop, run server/src/operate.ts in the environment of its migrations instead.
import { runOnStack } from './stack/run-on-stack.ts';

runOnStack('operate.ts', { needsStack: true });
