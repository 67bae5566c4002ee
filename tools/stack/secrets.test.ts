import { createPublicKey } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadOrCreateSecrets } from './secrets.ts';

test('the secrets of a stack stay the same over restarts, and only their owner can read them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pointgate-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'stack', 'secrets.json');

  const first = loadOrCreateSecrets(file);

  expect(loadOrCreateSecrets(file)).toEqual(first);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(first.loginKeys).toEqual([
    expect.objectContaining({ kty: 'EC', crv: 'P-256', alg: 'ECDH-ES', d: expect.any(String) }),
  ]);
  for (const { privateKey, publicKey } of [
    ...Object.values(first.wechatpayKeys),
    ...Object.values(first.alipayKeys),
  ]) {
    expect(createPublicKey(privateKey).equals(createPublicKey(publicKey))).toBe(true);
  }
});

test('the complete secrets file of a stack is not written again, and no other file is left beside it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pointgate-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'secrets.json');
  loadOrCreateSecrets(file);
  const longAgo = new Date('2020-01-01');
  utimesSync(file, longAgo, longAgo);
  loadOrCreateSecrets(file);
  expect(statSync(file).mtime).toEqual(longAgo);
  expect(readdirSync(folder)).toEqual(['secrets.json']);
});
