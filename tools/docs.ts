// Writes the generated pages from the contract and from docs/asvs/: npm run docs
import { writeFileSync } from 'node:fs';
import { generatedPages } from './docs/pages.ts';

for (const [name, text] of Object.entries(generatedPages())) {
  writeFileSync(new URL(`../docs/${name}`, import.meta.url), text);
}
