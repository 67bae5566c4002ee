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
  ['in dollars on a desktop', {}, {}, ['card', 'paypal', 'epoint']],
  ['in yuan on a desktop', { currency: 'CNY' }, {}, ['card', 'wechatpay', 'epoint']],
  ['in won (unknown to PayPal)', { currency: 'KRW' }, {}, ['card', 'epoint']],
  ['for points (never with points)', { kind: 'points' }, {}, ['card', 'paypal']],
  ['in yuan inside WeChat', { currency: 'CNY', place: inWechat }, {}, ['wechatpay', 'epoint']],
  ['in dollars inside WeChat', { place: inWechat }, {}, ['epoint']],
  [
    'in yuan inside WeChat without an open id',
    { currency: 'CNY', place: { ...inWechat, openIdApp: null } },
    {},
    ['epoint'],
  ],
  [
    'in yuan inside WeChat with an open id of another application',
    { currency: 'CNY', place: { ...inWechat, openIdApp: 'wx_other' } },
    {},
    ['epoint'],
  ],
  [
    'in yuan on a phone without an open id',
    { currency: 'CNY', place: { scene: 'mobile', openIdApp: null, country: 'CN' } },
    {},
    ['card', 'wechatpay', 'epoint'],
  ],
  [
    'where PayPal has no merchant account',
    {},
    { hasContract: (method) => method !== 'paypal' },
    ['card', 'epoint'],
  ],
  ['while cards are switched off', {}, { isSwitchedOff: only('card') }, ['paypal', 'epoint']],
  ['while points are switched off', {}, { isSwitchedOff: only('epoint') }, ['card', 'paypal']],
  ['while PayPal is failing', {}, { isFailing: only('paypal') }, ['card', 'epoint']],
])(
  'a player who pays %s is offered exactly the payment methods that work there',
  (_what, asked, conditions, offered) => {
    expect(routeMethods(question(asked), { ...fine, ...conditions }).offered).toEqual(offered);
  },
);

test('a payment method that is switched off or failing is listed as unavailable, but not where it could never be used', () => {
  const site = { methods: ['wechatpay', 'paypal', 'card'] as PaymentMethod[], methodCountries: {} };
  const conditions = { ...fine, isSwitchedOff: only('card'), isFailing: () => true };
  expect(routeMethods(question({ site }), conditions).out).toEqual(['paypal', 'card']);
  expect(routeMethods(question({ site, place: inWechat }), conditions).out).toEqual([]);
  expect(routeMethods(question({ site }), fine).out).toEqual([]);
});

test('payment methods are offered in the order in which the site lists them', () => {
  const site = { methods: ['epoint', 'paypal', 'card'] as PaymentMethod[], methodCountries: {} };
  expect(routeMethods(question({ site }), fine).offered).toEqual(['epoint', 'paypal', 'card']);
});

test.each<[string | null, PaymentMethod[]]>([
  ['DE', ['card', 'paypal']],
  ['US', ['card']],
  [null, ['card']],
])(
  'a player whose country is %s is offered only the payment methods available there',
  (country, offered) => {
    const site = {
      methods: ['card', 'paypal'] as PaymentMethod[],
      methodCountries: { paypal: ['DE', 'FR'] },
    };
    const place = { ...atDesk, country };
    expect(routeMethods(question({ site, place }), fine).offered).toEqual(offered);
  },
);

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
])(
  'the payment method %s is refused with the reason %s (case %$)',
  (method, reason, asked, conditions) => {
    const { refused } = routeMethods(question(asked), { ...fine, ...conditions });
    expect(refused).toContainEqual({ method, reason });
  },
);

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

test('every payment method is either offered or refused with a reason, and only listed methods are offered', () => {
  fc.assert(
    fc.property(anyQuestion, anyConditions, (asked, conditions) => {
      const { offered, refused } = routeMethods(asked, conditions);
      const all = [...offered, ...refused.map(({ method }) => method)];
      expect(all.toSorted()).toEqual(PaymentMethod.options.toSorted());
      expect(offered).toEqual(asked.site.methods.filter((method) => offered.includes(method)));
    }),
  );
});

test('the payment methods offered inside WeChat are only WeChat Pay and E Points, and E Points are never offered to buy E Points', () => {
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

test('switching off a payment method removes that method, and no other, from the methods offered', () => {
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
