// Checks the folder of a shop and begins new ones: npm run pointgate -- check demo/shop
import { runOnStack } from './stack/run-on-stack.ts';

// Folders are checked and begun without a shop.
runOnStack('pointgate.ts', { needsStack: false });
