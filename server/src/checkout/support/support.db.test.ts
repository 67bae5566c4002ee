import { randomUUID } from 'node:crypto';
import { addressOf } from '@pointgate/contract/endpoint.ts';
import { supportLink } from '@pointgate/contract/support.ts';
import { jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Buyer, givenBuyer, givenOrder } from '../../../test/buying.ts';
import { givenSupport } from '../../../test/news.ts';
import { eventually, openTestShop, send, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { linkToSupport } from './support.ts';

const secret = 'what the customer service of Solmere knows';
const crmUrl = 'https://crm.example/ask?queue=web';
let shop: TestShop;
let buyer: Buyer;
let paymentId: string;
beforeAll(async () => {
  shop = await openTestShop({ CRM_SECRETS: JSON.stringify({ solmere: secret }) });
  buyer = await givenBuyer(shop);
  ({ paymentId } = await givenOrder(shop, buyer));
  await givenAddress(crmUrl);
});
afterAll(() => shop.closeAll());

/** Waits until the cached site has the address. */
async function givenAddress(address: string | null): Promise<void> {
  await givenSupport(shop.db, address);
  await eventually(async () => (await shop.sites.byId('solmere'))?.crmUrl === address);
}

const ask = (
  address: Record<string, string> = {},
  options: { cookie?: string; headers?: Record<string, string> } = {},
) =>
  send(shop, addressOf(supportLink, address), { method: 'GET', cookie: buyer.cookie, ...options });

/** The token of a link, verified as customer service does. */
async function readLink(data: unknown, currentDate = new Date()) {
  const { url } = supportLink.reply.parse(data);
  const token = new URL(url).searchParams.get('token') ?? '';
  const checks = { audience: 'https://crm.example', issuer: 'solmere', currentDate };
  return (await jwtVerify(token, Buffer.from(secret), { ...checks, algorithms: ['HS256'] }))
    .payload;
}

describe('customer service links', () => {
  test('[S7.25] a customer service link carries a signed token with account, language and order', async () => {
    const reply = await ask({ paymentId }, { headers: { 'accept-language': 'ko' } });
    expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true });
    const { url } = supportLink.reply.parse(reply.data);
    expect(url.startsWith('https://crm.example/ask?queue=web&token=')).toBe(true);
    expect(await readLink(reply.data)).toEqual({
      iss: 'solmere',
      aud: 'https://crm.example',
      sub: buyer.accountId,
      gameAccountId: buyer.gameAccountId,
      locale: 'ko-KR',
      paymentId,
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: expect.any(Number),
    });
  });

  test('a customer service link can be requested without an order and has a new signed token each time', async () => {
    const [first, second] = [await ask(), await ask()];
    expect(await readLink(first.data)).toMatchObject({ paymentId: null });
    expect(first.data).not.toEqual(second.data);
  });

  test('the token of a customer service link expires after five minutes', async () => {
    const now = Date.UTC(2026, 10, 15, 12);
    const { accountId } = buyer;
    const link = await linkToSupport(
      { db: shop.db, sites: shop.sites, secrets: { solmere: secret }, now: () => now },
      { accountId, siteId: 'solmere', locale: 'en-US', paymentId: undefined },
    );
    expect(link.expiresAt).toBe('2026-11-15T12:05:00.000Z');
    const at = (seconds: number) => new Date(now + seconds * 1000);
    expect(await readLink(link, at(299))).toMatchObject({ sub: accountId });
    await expect(readLink(link, at(300))).rejects.toThrow('exp');
  });

  test("[S7.25] a customer service link for another player's order is refused as if the order did not exist", async () => {
    const stranger = await givenBuyer(shop);
    const { requestId: _first, ...theirs } = await ask({ paymentId }, { cookie: stranger.cookie });
    const nobodys = await ask({ paymentId: randomUUID() }, { cookie: stranger.cookie });
    const { requestId: _second, ...unknown } = nobodys;
    expect(theirs).toMatchObject({ httpStatus: 200, code: 'PaymentIdWrong', data: null });
    expect(theirs).toEqual(unknown);
  });

  test('[S7.25] a customer service link is refused without a session', async () => {
    expect(await send(shop, supportLink.path, { method: 'GET' })).toMatchObject({
      httpStatus: 203,
      code: 'InvalidToken',
    });
  });

  test.each(['?paymentId=1', '?paymentId=', '?order=1', '?paymentId=a&paymentId=b'])(
    '[S7.25] a customer service link is refused for the malformed query %s',
    async (query) => {
      const { cookie } = buyer;
      const reply = await send(shop, supportLink.path + query, { method: 'GET', cookie });
      expect(reply).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
    },
  );

  test('a customer service link is signed with the secret of its own site only', async () => {
    const { accountId } = buyer;
    const asked = { accountId, siteId: 'solmere', locale: 'en-US', paymentId: undefined } as const;
    const context = { db: shop.db, sites: shop.sites, now: Date.now };
    const others = linkToSupport({ ...context, secrets: { other: secret } }, asked);
    await expect(others).rejects.toMatchObject({ code: 'CustomerServiceMissing' });
    const wrong = await linkToSupport(
      { ...context, secrets: { solmere: secret.toUpperCase() } },
      asked,
    );
    await expect(readLink(wrong)).rejects.toThrow('signature');
  });

  test('[S7.25] a customer service link is refused with CustomerServiceMissing where no service desk is configured', async () => {
    await givenAddress(null);
    const refused = { httpStatus: 200, code: 'CustomerServiceMissing', data: null };
    expect(await ask({ paymentId })).toMatchObject(refused);
    expect(await ask()).toMatchObject(refused);
    await givenAddress(crmUrl);
    expect(await ask()).toMatchObject({ isSuccess: true });
  });
});

test('the configured URL of the customer service desk has to use https or be local', async () => {
  for (const address of ['http://crm.example/', 'javascript:alert(1)', 'ftp://crm.example/']) {
    const change = shop.db.transaction((tx) => tx.run(sql`update sites set crm_url = ${address}`));
    await expect(change).rejects.toThrow('crm_is_reached_safely');
  }
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`update sites set crm_url = 'http://127.0.0.1:4000/ask'`);
  });
});
