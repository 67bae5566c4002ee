// Builds the portal, unless it was built after its sources were last changed.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { isBuildStale } from './stack/build.ts';

const root = join(import.meta.dirname, '..');
if (isBuildStale(root)) execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' });
