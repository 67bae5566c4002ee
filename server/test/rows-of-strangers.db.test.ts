import { startPasskeyLogin } from '@pointgate/contract/passkeys.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { sql } from '../src/platform/db.ts';
import { openQuickLimits, type ReturnableLimits } from '../src/platform/limits.ts';
import { createApi } from '../src/wiring/app.ts';
import { givenPlayer, openTestShop, seal, send, type TestShop } from './shop.ts';

// Rows that anybody can create without signing in, and that are only deleted by expiry.

let whole: TestShop;
let shop: TestShop;
let limits: ReturnableLimits;
beforeAll(async () => {
  whole = await openTestShop({ LOG_LEVEL: 'silent' });
});
// With separate limits, because all tests share the others.
beforeEach(async () => {
  limits = openQuickLimits(undefined);
  const api = await createApi({ ...whole, checks: { ...whole.checks, quickLimits: limits } });
  const url = await api.listen({ host: '127.0.0.1', port: 0 });
  shop = { ...whole, api, url: url.replace('127.0.0.1', 'localhost') };
});
afterEach(() => shop.api.close());
afterAll(() => whole.closeAll());

const rowsIn = async () =>
  await shop.db.one(
    z.object({ passkeys: z.int(), envelopes: z.int() }),
    sql`
      select (select count(*)::int from passkey_challenges) as passkeys,
        (select count(*)::int from used_envelopes) as envelopes`,
  );

const signInByName = async () => {
  const { loginName, password } = await givenPlayer(shop);
  const path = '/api/user/login';
  const data = await seal(shop, path, { method: 'LOGIN_NAME_PASSWD_AUTH', loginName, password });
  return await send(shop, path, { body: { data } });
};

/** Uses up a limit, as other callers would. */
async function useUp(key: string, max: number): Promise<void> {
  for (let index = 0; index < max; index += 1) await limits.take({ key, max, seconds: 60 });
}

test.each([
  ['from one network', ':127.0.0.0/24', 600],
  ['in total', '', 12_000],
])(
  'a passkey challenge or encrypted sign-in request is refused without storing a row if there are too many %s',
  async (_where, by, max) => {
    expect(await send(shop, startPasskeyLogin.path)).toMatchObject({ isSuccess: true });
    expect(await signInByName()).toMatchObject({ isSuccess: true });
    const before = await rowsIn();
    await useUp(`rows:passkey${by}`, max);
    await useUp(`rows:envelope${by}`, max);
    const busy = { httpStatus: 503, code: 'SystemBusy' };
    expect(await send(shop, startPasskeyLogin.path)).toMatchObject(busy);
    expect(await signInByName()).toMatchObject(busy);
    expect(await rowsIn()).toEqual(before);
  },
);
