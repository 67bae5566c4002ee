import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Whether the built portal is missing or older than one of its sources. */
export function isBuildStale(root: string): boolean {
  const built = join(root, 'portal/dist/index.html');
  if (!existsSync(built)) return true;
  const builtAt = statSync(built).mtimeMs;
  return ['portal', 'contract', 'package-lock.json'].some((source) =>
    isNewer(join(root, source), builtAt),
  );
}

function isNewer(path: string, thanMs: number): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (!stat.isDirectory()) return stat.mtimeMs > thanMs;
  return readdirSync(path)
    .filter((name) => name !== 'dist' && name !== 'node_modules')
    .some((name) => isNewer(join(path, name), thanMs));
}
