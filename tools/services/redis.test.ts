import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findProgram } from './redis.ts';

test('the first installed program in a list of names is started as the Redis server, whatever the order of the PATH', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pointgate-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const install = (name: string, mode: number) => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, name), '');
    chmodSync(join(folder, name, name), mode);
    return join(folder, name);
  };
  const redis = install('redis-server', 0o755);
  const valkey = install('valkey-server', 0o755);
  const names = ['valkey-server', 'redis-server'];

  expect(findProgram(names, `${redis}:${valkey}`)).toBe(join(valkey, 'valkey-server'));
  expect(findProgram(names, `/nowhere:${redis}`)).toBe(join(redis, 'redis-server'));
  expect(findProgram(names, '/nowhere:')).toBeUndefined();
});
