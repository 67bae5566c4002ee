import { createHmac } from 'node:crypto';
import { signedText } from '@pointgate/contract/analytics.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageKey } from '../../../test/logger.ts';
import { sign } from './signature.ts';

test('[S7.36] the signature of an analytics batch matches that of the collector, also for non-ASCII text', async () => {
  // The tests of the collector use the same vector, which another program computed.
  const text = signedText({ kid: 'k1', sentAt: 1_763_200_000_000, body: '{"hello":"wörld"}' });
  const signature = '8485d02c9c5d8bd0a027fe4ceeb4fdca27f20a7412a8d74d12b3fc948b4cfe98';
  expect(await sign(text, pageKey.key)).toBe(signature);
});

test('the browser and node:crypto compute the same HMAC-SHA-256 for any text and key', async () => {
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), key, async (text, bytes) => {
      const expected = createHmac('sha256', bytes).update(text).digest('hex');
      expect(await sign(text, Buffer.from(bytes).toString('hex'))).toBe(expected);
    }),
  );
});
