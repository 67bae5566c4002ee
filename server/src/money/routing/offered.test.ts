import { Currency } from '@pointgate/contract/money.ts';
import { PaymentMethod } from '@pointgate/contract/orders.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Conditions,
  type Place,
  type RouteQuestion,
  type RouteRefusal,
  routeMethods,
} from './offered.ts';

const atDesk: Place = { scene: 'desktop', openIdApp: null, country: null };
const inWechat: Place = { scene: 'wechat', openIdApp: 'wx_ours', country: 'CN' };

const fine: Conditions = {
  hasContract: () => true,
  openIdAppOf: (method) => (method === 'wechatpay' ? 'wx_ours' : undefined),
  isSwitchedOff: () => false,
  isFailing: () => false,
};

const question = (changes: Partial<RouteQuestion> = {}): RouteQuestion => ({
  site: { methods: ['card', 'paypal', 'wechatpay', 'epoint'], methodCountries: {} },
  kind: 'item',
  currency: 'USD',
  place: atDesk,
  ...changes,
});
const only = (method: PaymentMethod) => (each: PaymentMethod) => each === method;

test.each<[string, Partial<RouteQuestion>, Partial<Conditions>, PaymentMethod[]]>([
  ['dollars at a desk', {}, {}, ['card', 'paypal', 'epoint']],
  ['yuan at a desk', { currency: 'CNY' }, {}, ['card', 'wechatpay', 'epoint']],
  ['won, which PayPal does not know', { currency: 'KRW' }, {}, ['card', 'epoint']],
  ['points, never with points', { kind: 'points' }, {}, ['card', 'paypal']],
  ['yuan inside WeChat', { currency: 'CNY', place: inWechat }, {}, ['wechatpay', 'epoint']],
  ['dollars inside WeChat', { place: inWechat }, {}, ['epoint']],
  [
    'yuan inside WeChat, to somebody it does not know',
    { currency: 'CNY', place: { ...inWechat, openIdApp: null } },
    {},
    ['epoint'],
  ],
  [
    'yuan inside WeChat, to somebody it knows as the player of another application',
    { currency: 'CNY', place: { ...inWechat, openIdApp: 'wx_other' } },
    {},
    ['epoint'],
  ],
  [
    'yuan on a phone, where nobody has to be known',
    { currency: 'CNY', place: { scene: 'mobile', openIdApp: null, country: 'CN' } },
    {},
    ['card', 'wechatpay', 'epoint'],
  ],
  ['without a contract', {}, { hasContract: (method) => method !== 'paypal' }, ['card', 'epoint']],
  ['with cards switched off', {}, { isSwitchedOff: only('card') }, ['paypal', 'epoint']],
  ['with points switched off', {}, { isSwitchedOff: only('epoint') }, ['card', 'paypal']],
  ['with PayPal failing', {}, { isFailing: only('paypal') }, ['card', 'epoint']],
])('a player who pays %s is offered what works there', (_what, asked, conditions, offered) => {
  expect(routeMethods(question(asked), { ...fine, ...conditions }).offered).toEqual(offered);
});

test('what is switched off or failing is out and comes back; what could never work there is not', () => {
  const site = { methods: ['wechatpay', 'paypal', 'card'] as PaymentMethod[], methodCountries: {} };
  const conditions = { ...fine, isSwitchedOff: only('card'), isFailing: () => true };
  expect(routeMethods(question({ site }), conditions).out).toEqual(['paypal', 'card']);
  expect(routeMethods(question({ site, place: inWechat }), conditions).out).toEqual([]);
  expect(routeMethods(question({ site }), fine).out).toEqual([]);
});

test('the order is the order of the site', () => {
  const site = { methods: ['epoint', 'paypal', 'card'] as PaymentMethod[], methodCountries: {} };
  expect(routeMethods(question({ site }), fine).offered).toEqual(['epoint', 'paypal', 'card']);
});

test.each<[string | null, PaymentMethod[]]>([
  ['DE', ['card', 'paypal']],
  ['US', ['card']],
  [null, ['card']],
])('a method with countries is offered in those: a player from %s', (country, offered) => {
  const site = {
    methods: ['card', 'paypal'] as PaymentMethod[],
    methodCountries: { paypal: ['DE', 'FR'] },
  };
  const place = { ...atDesk, country };
  expect(routeMethods(question({ site, place }), fine).offered).toEqual(offered);
});

test.each<[PaymentMethod, RouteRefusal, Partial<RouteQuestion>, Partial<Conditions>]>([
  ['paypal', 'not_at_this_site', { site: { methods: ['card'], methodCountries: {} } }, {}],
  ['epoint', 'points_for_points', { kind: 'points' }, {}],
  ['paypal', 'no_contract', {}, { hasContract: (method) => method !== 'paypal' }],
  ['paypal', 'not_in_this_currency', { currency: 'VND' }, {}],
  ['card', 'not_in_this_scene', { currency: 'CNY', place: inWechat }, {}],
  ['wechatpay', 'no_open_id', { currency: 'CNY', place: { ...inWechat, openIdApp: null } }, {}],
  ['wechatpay', 'no_open_id', { currency: 'CNY', place: { ...inWechat, openIdApp: 'wx_2' } }, {}],
  ['card', 'switched_off', {}, { isSwitchedOff: only('card'), isFailing: only('card') }],
  ['card', 'failing', {}, { isFailing: only('card') }],
])('an operator reads why %s is not offered: %s', (method, reason, asked, conditions) => {
  const { refused } = routeMethods(question(asked), { ...fine, ...conditions });
  expect(refused).toContainEqual({ method, reason });
});

const methods = fc.uniqueArray(fc.constantFrom(...PaymentMethod.options));
const anyQuestion: fc.Arbitrary<RouteQuestion> = fc.record({
  site: fc.record({
    methods,
    methodCountries: fc.dictionary(
      fc.constantFrom(...PaymentMethod.options),
      fc.uniqueArray(fc.constantFrom('CN', 'DE'), { minLength: 1 }),
    ),
  }),
  kind: fc.constantFrom('item', 'points'),
  currency: fc.constantFrom(...Currency.options),
  place: fc.record({
    scene: fc.constantFrom('desktop', 'mobile', 'wechat'),
    openIdApp: fc.constantFrom('wx_ours', 'wx_other', null),
    country: fc.constantFrom('CN', 'DE', 'US', null),
  }),
});
const anyConditions: fc.Arbitrary<Conditions> = fc
  .record({ contracts: methods, off: methods, failing: methods })
  .map(({ contracts, off, failing }) => ({
    hasContract: (method) => method === 'epoint' || contracts.includes(method),
    openIdAppOf: () => 'wx_ours',
    isSwitchedOff: (method) => off.includes(method),
    isFailing: (method) => failing.includes(method),
  }));

test('every method is either offered or refused for a reason, and no site offers what it does not name', () => {
  fc.assert(
    fc.property(anyQuestion, anyConditions, (asked, conditions) => {
      const { offered, refused } = routeMethods(asked, conditions);
      const all = [...offered, ...refused.map(({ method }) => method)];
      expect(all.toSorted()).toEqual(PaymentMethod.options.toSorted());
      expect(offered).toEqual(asked.site.methods.filter((method) => offered.includes(method)));
    }),
  );
});

test('inside WeChat nothing is offered but WeChat Pay and points, and nobody buys points with points', () => {
  fc.assert(
    fc.property(anyQuestion, anyConditions, (asked, conditions) => {
      const { offered } = routeMethods(asked, conditions);
      if (asked.place.scene === 'wechat') {
        expect(offered.filter((each) => each !== 'wechatpay' && each !== 'epoint')).toEqual([]);
      }
      if (asked.kind === 'points') expect(offered).not.toContain('epoint');
    }),
  );
});

test('switching one method off takes away that one and no other', () => {
  const anyMethod = fc.constantFrom(...PaymentMethod.options);
  fc.assert(
    fc.property(anyQuestion, anyConditions, anyMethod, (asked, conditions, method) => {
      const before = routeMethods(asked, conditions).offered;
      const isSwitchedOff = (each: PaymentMethod) =>
        each === method || conditions.isSwitchedOff(each);
      const after = routeMethods(asked, { ...conditions, isSwitchedOff }).offered;
      expect(after).toEqual(before.filter((each) => each !== method));
    }),
  );
});
