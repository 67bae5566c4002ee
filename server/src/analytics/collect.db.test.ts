import { randomInt, randomUUID } from 'node:crypto';
import { SiteConfig } from '@pointgate/contract/site-config.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  analyticsEnvironment,
  beacon,
  givenBatch,
  givenEvent,
  pageKey,
  sign,
  timeText,
} from '../../test/analytics.ts';
import { storedEvents } from '../../test/analytics-db.ts';
import { callRaw } from '../../test/raw-call.ts';
import { openTestShop, send, type TestShop } from '../../test/shop.ts';
import { sql } from '../platform/db.ts';
import { createApi } from '../wiring/app.ts';
import { batchesPerNetwork } from './analytics.routes.ts';
import { currentKey } from './logger-keys.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({
    LOG_LEVEL: 'silent',
    TRUST_PROXY: '1',
    ...analyticsEnvironment(),
  });
});
afterAll(() => shop.closeAll());

const Aside = z.object({
  id: z.string(),
  name: z.string().nullable(),
  reason: z.string(),
  field: z.string().nullable(),
  content: z.unknown(),
});

const asideOf = (did: string) =>
  shop.db.many(
    Aside,
    sql`select id, name, reason, field, content from analytics.quarantine
        where device_id = ${did}::uuid order by reason, field, content::text`,
  );

/** Signs and sends events with a new device key, unless one is given. */
async function tellShop(events: readonly unknown[], { changes = {}, key = pageKey(shop) } = {}) {
  const used = await key;
  const batch = givenBatch(used, events, changes);
  const text = sign(batch, used);
  return { did: used.did, text, reply: await beacon(shop, text) };
}

describe('logger keys', () => {
  test('an analytics event signed with the signing key that its page load received is stored', async () => {
    const event = givenEvent();
    const { reply, did } = await tellShop([event]);
    expect(reply.status).toBe(204);
    expect(reply.text).toBe('');
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.headers['set-cookie']).toBeUndefined();
    expect(await storedEvents(shop.db, [event.id])).toMatchObject([
      {
        site_id: 'solmere',
        device_id: did,
        name: 'web_payment_page_stay',
        params: { page: '/main/recharge', page_duration: 3_000 },
        step: 'top_up',
        happened_at: new Date(`${event.t.replace(' ', 'T')}Z`),
        table: `analytics.events_${event.t.slice(0, 10).replaceAll('-', '_')}`,
        browser: ['android', 'webview'],
        locale: 'en-US',
      },
    ]);
  });

  test('each page load gets a new analytics device id and signing key, and the site config names the address of the event collector', async () => {
    const [one, other] = [await pageKey(shop), await pageKey(shop)];
    expect(one.did).not.toBe(other.did);
    expect(one.key).not.toBe(other.key);
    const config = SiteConfig.parse((await callRaw(`${shop.url}/config.json`)).json());
    expect(config.gameInfo.customConfig.loggerUrl).toBe('/api/log/collect');
  });

  test('after a rotation of the analytics keys, a browser keeps its device id and gets a new signing key, and the old one is still accepted', async () => {
    const [, before] = shop.analytics.masters;
    if (before === undefined) throw new Error('there is no older key');
    const did = randomUUID();
    const older = currentKey([before], { siteId: 'solmere', did });
    if (older === undefined) throw new Error('there is no key');
    const event = givenEvent();
    const { reply } = await tellShop([event], { key: Promise.resolve(older) });
    expect(reply.status).toBe(204);

    const renewed = await send(shop, '/api/log/key', { body: { did } });
    expect(renewed.data).toEqual(currentKey(shop.analytics.masters, { siteId: 'solmere', did }));
    expect(renewed.data).toMatchObject({ kid: 'now', did });
    for (const wrong of [{ did: 'me' }, {}, { did, extra: 1 }]) {
      expect(await send(shop, '/api/log/key', { body: wrong })).toMatchObject({ httpStatus: 400 });
    }
  });

  test('a shop without analytics keys gives browsers no signing key and refuses analytics events', async () => {
    const api = await createApi({ ...shop, analytics: { ...shop.analytics, masters: [] } });
    const headers = { host: 'localhost', 'sec-fetch-site': 'same-origin' };
    const config = await api.inject({ url: '/config.json', headers });
    const { customConfig } = SiteConfig.parse(config.json()).gameInfo;
    expect(customConfig).toMatchObject({ loggerUrl: null, loggerKey: null });
    const key = await api.inject({
      method: 'POST',
      url: '/api/log/key',
      headers,
      payload: { did: randomUUID() },
    });
    expect(key.json()).toMatchObject({ code: 'NotFound' });
    const used = await pageKey(shop);
    const sent = await api.inject({
      method: 'POST',
      url: '/api/log/collect',
      headers: { host: 'localhost', 'content-type': 'text/plain' },
      payload: sign(givenBatch(used, [givenEvent()]), used),
    });
    expect(sent.statusCode).toBe(401);
    await api.close();
  });
});

describe('the event collector', () => {
  test('the analytics event collector accepts text and JSON from any origin and refuses form data', async () => {
    const key = await pageKey(shop);
    const tried = async (headers: Record<string, string>) => {
      const event = givenEvent();
      const { status } = await beacon(shop, sign(givenBatch(key, [event]), key), headers);
      return [status, (await storedEvents(shop.db, [event.id])).length];
    };
    expect(await tried({})).toEqual([204, 1]);
    expect(await tried({ 'content-type': 'application/json' })).toEqual([204, 1]);
    expect(await tried({ 'sec-fetch-site': 'cross-site', origin: 'null' })).toEqual([204, 1]);
    expect(await tried({ 'content-type': 'application/x-www-form-urlencoded' })).toEqual([415, 0]);
  });

  test('the analytics event collector answers an unknown host name with 404', async () => {
    const { status } = await beacon(shop, '{}', { host: 'nobody.example' });
    expect(status).toBe(404);
  });

  test('the analytics event collector stores known events and quarantines the others with a reason', async () => {
    const good = givenEvent();
    const evil = `'); drop table analytics.events; --`;
    const { did, reply } = await tellShop([
      good,
      givenEvent({ n: 'web_payment_dance', p: { evil, html: '<script>alert(1)</script>' } }),
      givenEvent({ p: { page: '/main', page_duration: 3_000, mood: '"\\' } }),
      givenEvent({ p: { page: '/main', page_duration: 1 } }),
      givenEvent({ t: timeText(Date.now() - 25 * 3_600_000) }),
      givenEvent({ p: { page: '/main/pia@example.com', page_duration: 3_000 } }),
      { a: '\u0000' },
      'hello',
    ]);
    expect(reply.status).toBe(204);
    expect(await storedEvents(shop.db, [good.id])).toHaveLength(1);
    const name = 'web_payment_page_stay';
    expect(await asideOf(did)).toMatchObject([
      { name, reason: 'clock', field: 't' },
      { name, reason: 'invalid_field', field: 'p.page_duration' },
      { name: null, reason: 'malformed', content: 'hello' },
      { name: null, reason: 'malformed', content: null },
      { name, reason: 'private_value', field: null, content: null },
      { name: 'web_payment_dance', reason: 'unknown_event', content: { p: { evil } } },
      { name, reason: 'unknown_field', field: 'p.mood', content: { p: { mood: '"\\' } } },
    ]);
  });

  test('the analytics event collector never stores mail addresses, phone numbers, tokens or sign-in tickets', async () => {
    const secrets = [
      'pia@example.com',
      '+8613800138000',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln',
      `tk_${'q'.repeat(43)}`,
    ];
    const { did } = await tellShop(
      secrets.flatMap((secret) => [
        givenEvent({ p: { page: `/${secret}`, page_duration: 3_000 } }),
        givenEvent({ p: { page: '/main', page_duration: 3_000, secret } }),
        givenEvent({ n: secret }),
        givenEvent({ [secret]: 1 }),
        secret,
      ]),
    );
    const aside = await asideOf(did);
    expect(aside).toHaveLength(secrets.length * 5);
    expect(new Set(aside.map(({ reason }) => reason))).toEqual(new Set(['private_value']));
    const { text } = await shop.db.one(
      z.object({ text: z.string() }),
      sql`select coalesce((select string_agg(row::text, ' ') from analytics.quarantine as row), '')
            || coalesce((select string_agg(row::text, ' ') from analytics.events as row), '') as text`,
    );
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  test('the analytics event collector answers a client network above its limit of batches with 429', async () => {
    // A new network for each run, because limits in Redis outlive it.
    const network = `198.${randomInt(256)}.${randomInt(256)}`;
    const limit = { key: `collect:network:${network}.0/24`, ...batchesPerNetwork };
    for (let sent = 0; sent < batchesPerNetwork.max; sent += 1) {
      expect(await shop.analytics.limits.take(limit)).toBe(true);
    }
    const from = async (address: string) => {
      const key = await pageKey(shop);
      const text = sign(givenBatch(key, [givenEvent()]), key);
      return (await beacon(shop, text, { 'x-forwarded-for': address })).status;
    };
    expect(await from(`${network}.77`)).toBe(429);
    expect(await from('203.0.114.77')).toBe(204);
  });
});

describe('refused event batches', () => {
  const key = () => pageKey(shop);
  test.each<[string, number, () => Promise<string>]>([
    [
      'a batch changed after signing',
      401,
      async () => (await signedBatch()).replace('/main/recharge', '/main/recharg'),
    ],
    ['a batch with an unknown key', 401, async () => await signedBatch({ kid: 'tomorrow' })],
    [
      'a batch older than a day',
      400,
      async () => await signedBatch({ sent_at: Date.now() - 86_500_000 }),
    ],
    [
      'a batch dated an hour ahead',
      400,
      async () => await signedBatch({ sent_at: Date.now() + 3_600_000 }),
    ],
    ['a body that is not a batch', 400, async () => '{"kid":1}'],
    ['a blank body', 400, async () => ' '],
    [
      'a batch of more than 16 KB',
      413,
      async () => await signedBatch({ events: ['a'.repeat(17_000)] }),
    ],
    ['a body of more than 64 KB', 413, async () => 'a'.repeat(66_000)],
  ])('the analytics event collector refuses %s and stores nothing', async (_what, status, text) => {
    const before = await counted();
    expect((await beacon(shop, await text())).status).toBe(status);
    expect(await counted()).toEqual(before);
  });

  async function signedBatch(changes: object = {}) {
    const used = await key();
    return sign(givenBatch(used, [givenEvent()], changes), used);
  }

  const counted = () =>
    shop.db.one(
      z.object({ events: z.bigint(), aside: z.bigint() }),
      sql`select (select count(*) from analytics.events) as events,
                 (select count(*) from analytics.quarantine) as aside`,
    );
});

describe('duplicate events', () => {
  test('an analytics batch sent again stores each known and each quarantined event once', async () => {
    const event = givenEvent();
    const { text, did } = await tellShop([event, givenEvent({ extra: 1 }), 'hello']);
    for (let again = 0; again < 3; again += 1) {
      expect((await beacon(shop, text)).status).toBe(204);
    }
    expect(await storedEvents(shop.db, [event.id])).toHaveLength(1);
    expect(await asideOf(did)).toHaveLength(2);
  });

  // Covers the device lock: the times differ, so no unique key would detect the duplicates.
  test('an analytics event sent in ten concurrent batches with different times is stored once', async () => {
    const key = await pageKey(shop);
    const event = givenEvent();
    const texts = Array.from({ length: 10 }, (_, seq) => {
      const t = timeText(Date.now() - seq * 1_000);
      return sign(givenBatch(key, [givenEvent(), { ...event, t }], { seq }), key);
    });
    const replies = await Promise.all(texts.map((text) => beacon(shop, text)));
    expect(replies.map(({ status }) => status)).toEqual(texts.map(() => 204));
    expect(await storedEvents(shop.db, [event.id])).toHaveLength(1);
  });

  test('an analytics event sent with a time of yesterday and again of today is stored once', async () => {
    const key = await pageKey(shop);
    const event = givenEvent({ t: timeText(Date.now() - 86_000_000) });
    await tellShop([event], { key: Promise.resolve(key) });
    await tellShop([{ ...event, t: timeText(Date.now()) }], { key: Promise.resolve(key) });
    expect(await storedEvents(shop.db, [event.id])).toMatchObject([
      { happened_at: new Date(`${event.t.replace(' ', 'T')}Z`) },
    ]);
  });

  test('an analytics event sent by two devices concurrently is stored once', async () => {
    const events = [givenEvent(), givenEvent()];
    await Promise.all([tellShop(events), tellShop(events.toReversed())]);
    expect(
      await storedEvents(
        shop.db,
        events.map(({ id }) => id),
      ),
    ).toHaveLength(2);
  });
});
