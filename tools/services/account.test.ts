import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canReach, findAccount } from './account.ts';

const stranger = { uid: 64_123, gid: 64_123 };

test('a system account is found in the passwd file only by its whole name', () => {
  const passwd = 'root:x:0:0:root:/root:/bin/bash\npostgres:x:101:104:,,,:/var/lib:/bin/bash\n';

  expect(findAccount(passwd, 'postgres')).toEqual({ uid: 101, gid: 104 });
  expect(findAccount(passwd, 'post')).toBeUndefined();
});

test('a file below a closed folder is not reachable for another system account', () => {
  const base = mkdtempSync(join(tmpdir(), 'pointgate-account-'));
  mkdirSync(join(base, 'open'));
  chmodSync(base, 0o755);
  chmodSync(join(base, 'open'), 0o755);
  expect(canReach(stranger, join(base, 'open', 'file'))).toBe(true);

  chmodSync(base, 0o700);
  expect(canReach(stranger, join(base, 'open', 'file'))).toBe(false);
  expect(canReach(null, join(base, 'open', 'file'))).toBe(true);
  rmSync(base, { recursive: true });
});
