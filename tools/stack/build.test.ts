import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isBuildStale } from './build.ts';

test('the portal is rebuilt only when one of its sources is newer than the build', () => {
  const root = mkdtempSync(join(tmpdir(), 'pointgate-build-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (path: string, second: number) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    utimesSync(file, second, second);
  };
  write('portal/src/main.tsx', 10);
  write('contract/src/money.ts', 10);
  write('package-lock.json', 10);
  expect(isBuildStale(root)).toBe(true);

  write('portal/dist/index.html', 20);
  write('portal/dist/assets/late.js', 30);
  expect(isBuildStale(root)).toBe(false);

  write('contract/src/money.ts', 25);
  expect(isBuildStale(root)).toBe(true);
});
