// Completes package-lock.json after an install from a registry with a single platform: npm run lock
import { readFileSync, writeFileSync } from 'node:fs';
import { completeLock, type Lock } from './lock/complete-lock.ts';

const file = new URL('../package-lock.json', import.meta.url);
const { lock, added } = completeLock(JSON.parse(readFileSync(file, 'utf8')) as Lock);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added.length} packages for other platforms added to package-lock.json\n`);
