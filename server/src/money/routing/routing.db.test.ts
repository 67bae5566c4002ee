import { SiteConfig } from '@pointgate/contract/site-config.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Buyer,
  createOrder,
  givenBuyer,
  givenOrder,
  openPage,
  pay,
  payAtProvider,
  untilShown,
} from '../../../test/buying.ts';
import { operate } from '../../../test/operate.ts';
import { callRaw } from '../../../test/raw-call.ts';
import { methodsOf, turn } from '../../../test/routing.ts';
import { eventually, openTestShop, send, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';

// Tests that players are offered the right methods and can pay with no others.

const wechatAgent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.50(0x18003236) NetType/WIFI Language/zh_CN';
const inWechat = { 'user-agent': wechatAgent };
const refused = { isSuccess: false, code: 'MethodUnavailable' };

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  const env = { LOG_LEVEL: 'silent', TRUST_PROXY: '1', COUNTRY_HEADER: 'x-country' };
  shop = await openTestShop(env);
  shop.startWorker();
  buyer = await givenBuyer(shop);
});
beforeEach(() => change(sql`methods = array['card', 'epoint'], method_countries = '{}'`));
afterAll(() => shop.closeAll());

/** Changes the site and waits until the shop has reloaded it. */
async function change(values: ReturnType<typeof sql>): Promise<void> {
  const title = crypto.randomUUID();
  await shop.db.transaction((tx) =>
    tx.run(sql`update sites set ${values}, title = ${title} where id = 'solmere'`),
  );
  await eventually(async () => (await shop.sites.byId('solmere'))?.title === title);
}

/** The configuration that a page loads. */
async function configOf(headers: Record<string, string> = {}): Promise<SiteConfig> {
  const reply = await callRaw(`${shop.url}/config.json`, { headers });
  return SiteConfig.parse(reply.json());
}

const shown = async (headers: Record<string, string> = {}): Promise<string[]> =>
  (await configOf(headers)).methods;

const points = (paymentId: string) =>
  send(shop, '/api/payment/order/epoint/pay', { cookie: buyer.cookie, body: { paymentId } });

describe('offered methods', () => {
  test('a player on a desktop is offered the payment methods that the site lists and that have a merchant account', async () => {
    await change(sql`methods = array['paypal', 'epoint', 'card']`);
    expect(await methodsOf(shop, buyer, {})).toEqual(['epoint', 'card']);
    expect(await methodsOf(shop, buyer, { kind: 'points' })).toEqual(['card']);
    expect(await createOrder(shop, buyer, { method: 'paypal' })).toMatchObject(refused);
    expect(await shown()).toEqual(['epoint', 'card']);
  });

  test('a player inside the WeChat app is not offered payment by card and cannot use it', async () => {
    expect(await methodsOf(shop, buyer, { headers: inWechat })).toEqual(['epoint']);
    expect(await shown(inWechat)).toEqual(['epoint']);
    const body = { ...buyer.body, clientOrderId: crypto.randomUUID() };
    const path = '/api/payment/order/create';
    const { cookie } = buyer;
    expect(await send(shop, path, { cookie, body, headers: inWechat })).toMatchObject(refused);
    const order = await givenOrder(shop, buyer);
    expect(await pay(shop, buyer, order, inWechat)).toMatchObject(refused);
    expect(await pay(shop, buyer, order)).toMatchObject({ isSuccess: true });
  });

  test('a player is offered the payment methods of the country that the reverse proxy reports', async () => {
    await change(sql`method_countries = '{"card": ["DE", "FR"]}'`);
    expect(await methodsOf(shop, buyer, { headers: { 'x-country': 'DE' } })).toEqual([
      'card',
      'epoint',
    ]);
    expect(await methodsOf(shop, buyer, { headers: { 'x-country': 'US' } })).toEqual(['epoint']);
    expect(await methodsOf(shop, buyer, { headers: { 'x-country': 'de' } })).toEqual(['epoint']);
    expect(await shown({ 'x-country': 'FR' })).toEqual(['card', 'epoint']);
    expect(await shown()).toEqual(['epoint']);
    expect(await createOrder(shop, buyer)).toMatchObject(refused);
  });

  test('a request for payment methods in a currency that the site does not take is refused with InvalidParams', async () => {
    const body = { kind: 'item', currency: 'JPY' };
    const { cookie } = buyer;
    const reply = await send(shop, '/api/payment/methods', { cookie, body });
    expect(reply).toMatchObject({ isSuccess: false, code: 'InvalidParams' });
  });
});

describe('method switches', () => {
  test('a payment method is no longer offered once it is switched off, and offered again once switched on', async () => {
    await turn(shop, 'card', { isOn: false });
    expect(await methodsOf(shop, buyer, {})).toEqual(['epoint']);
    expect(await createOrder(shop, buyer)).toMatchObject(refused);
    await eventually(async () => !(await shown()).includes('card'));
    await turn(shop, 'card', { isOn: true });
    expect(await methodsOf(shop, buyer, {})).toEqual(['card', 'epoint']);
    expect(await createOrder(shop, buyer)).toMatchObject({ isSuccess: true });
  });

  test('a payment method that is switched off is reported as unavailable, but not inside WeChat if it does not work there', async () => {
    const outAt = async (headers: Record<string, string> = {}) => {
      const { cookie } = buyer;
      const body = { kind: 'item' };
      const { data } = await send(shop, '/api/payment/methods', { cookie, body, headers });
      return data;
    };
    await turn(shop, 'card', { isOn: false });
    expect(await outAt()).toEqual({ methods: ['epoint'], methodsOut: ['card'] });
    expect(await outAt(inWechat)).toEqual({ methods: ['epoint'], methodsOut: [] });
    await eventually(async () => (await configOf()).methodsOut.join() === 'card');
    expect(await configOf(inWechat)).toMatchObject({ methods: ['epoint'], methodsOut: [] });
    await turn(shop, 'card', { isOn: true });
    expect(await outAt()).toEqual({ methods: ['card', 'epoint'], methodsOut: [] });
    await eventually(async () => (await configOf()).methodsOut.length === 0);
  });

  test('a payment method that is switched off cannot start new payments, and a payment page opened before can still be paid', async () => {
    const waiting = await givenOrder(shop, buyer);
    const begun = await givenOrder(shop, buyer);
    const page = await openPage(shop, buyer, begun);
    await turn(shop, 'card', { isOn: false });
    expect(await pay(shop, buyer, waiting)).toMatchObject(refused);
    expect(await openPage(shop, buyer, begun)).toBe(page);
    await payAtProvider(shop, page);
    await untilShown(shop, buyer, begun, 'Fulfilled');
    expect(await pay(shop, buyer, begun)).toMatchObject({ code: 'OrderNotPayable' });
    await turn(shop, 'card', { isOn: true });
    expect(await pay(shop, buyer, waiting)).toMatchObject({ isSuccess: true });
  });

  test('a payment method switched off at one site stays available at other sites', async () => {
    await turn(shop, 'card', { isOn: false, siteId: 'solmere' });
    expect(await methodsOf(shop, buyer, {})).toEqual(['epoint']);
    // Switching the method on everywhere does not switch it on at this site.
    await turn(shop, 'card', { isOn: true });
    expect(await methodsOf(shop, buyer, {})).toEqual(['epoint']);
    await turn(shop, 'card', { isOn: true, siteId: 'solmere' });
    expect(await methodsOf(shop, buyer, {})).toEqual(['card', 'epoint']);
    await shop.db.transaction((tx) =>
      tx.run(sql`
        insert into sites (id, domain_type, title, brand_id, portal_url, currency, locales, methods)
        values ('far', 1, 'Far', 'omni', 'https://far.example', 'EUR', array['de-DE'], array['card'])`),
    );
    await turn(shop, 'card', { isOn: false, siteId: 'far' });
    expect(await methodsOf(shop, buyer, {})).toEqual(['card', 'epoint']);
  });

  test('the payment method E Points can neither be chosen for orders nor spent while it is switched off', async () => {
    const order = await givenOrder(shop, buyer, { method: 'epoint' });
    await turn(shop, 'epoint', { isOn: false });
    expect(await createOrder(shop, buyer, { method: 'epoint' })).toMatchObject(refused);
    expect(await points(order.paymentId)).toMatchObject(refused);
    await turn(shop, 'epoint', { isOn: true });
    expect(await points(order.paymentId)).toMatchObject({ code: 'EPointInsufficient' });
  });

  test('the records of who switched a payment method off or on cannot be deleted from the database', async () => {
    const wipe = shop.db.transaction((tx) => tx.run(sql`delete from method_switches`));
    await expect(wipe).rejects.toThrow();
  });
});

describe('method commands', () => {
  const said = async (...args: string[]) => {
    const { out, status, complaint } = await operate(shop, args);
    return { status, complaint: complaint.trim(), said: out === '' ? null : JSON.parse(out) };
  };

  test('operator commands list the payment methods and switch them off and on', async () => {
    const off = await said('method-off', 'card', '--by', 'ines', '--reason', 'outage at the bank');
    const since = expect.any(String);
    const why = { where: 'everywhere', by: 'ines', reason: 'outage at the bank', since };
    expect(off.said).toContainEqual({
      siteId: 'solmere',
      method: 'card',
      contract: 'stripe',
      state: 'switched_off',
      switchedOff: [why],
    });
    expect(await methodsOf(shop, buyer, {})).toEqual(['epoint']);
    const { said: list } = await said('methods');
    expect(list.methods).toContainEqual({
      siteId: 'solmere',
      method: 'epoint',
      contract: null,
      state: 'offered',
      switchedOff: [],
    });
    expect(list.providers).toEqual([
      {
        contract: 'stripe',
        provider: 'stripe',
        isFailing: false,
        because: null,
        since: null,
        nextTrialAt: null,
      },
    ]);
    const on = await said('method-on', 'card', '--by', 'ines', '--reason', 'it is over');
    expect(on.said).toContainEqual({
      siteId: 'solmere',
      method: 'card',
      contract: 'stripe',
      state: 'offered',
      switchedOff: [],
    });
    expect(await methodsOf(shop, buyer, {})).toEqual(['card', 'epoint']);
  });

  test('invalid operator commands about payment methods are refused with a reason and switch nothing', async () => {
    const by = ['--by', 'ines', '--reason', 'why'];
    const refusals = [
      await said('method-off', 'gold', ...by),
      await said('method-off', 'card', '--site', 'nowhere', ...by),
      await said('method-off', 'card', '--by', 'ines'),
    ];
    expect(refusals.map(({ status, complaint }) => [status, complaint])).toEqual([
      [1, 'there is no method gold'],
      [1, 'there is no site nowhere'],
      [1, '--reason is missing'],
    ]);
    expect(await methodsOf(shop, buyer, {})).toEqual(['card', 'epoint']);
  });
});
