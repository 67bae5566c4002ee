import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@pointgate/contract/errors.ts';
import type { Buyer } from './buying.ts';
import { seal, type TestPlayer, type TestShop } from './shop.ts';

/** What belongs to the owner, by name. */
export interface Owned {
  owner: Buyer;
  /** Somebody who is only ever signing in or out. */
  doorkeeper: TestPlayer;
  /** An order that can still be paid by card. */
  openId: string;
  /** An order that was paid in points. */
  paidId: string;
}

/** How a call is made with the owner's things, and what comes of it for others. */
export interface Row {
  /** Made anew for each call, because some bodies work once. */
  body: (owned: Owned, shop: TestShop) => object | Promise<object>;
  /** The same with things that nobody has; left out where the body names nobody's things. */
  nobodys?: (owned: Owned, shop: TestShop) => object;
  /** What the owner gets: success, unless it says otherwise. */
  owner?: ErrorCode;
  /** What somebody without a session gets from a public call; `owner`'s answer if left out. */
  visitor?: 'the same' | 'differs';
  /** A public call that minds a session that has ended. */
  mindsEnded?: boolean;
  /** The session is used up by the call, so that each call needs one of its own. */
  usesSession?: boolean;
  /** Fields of the reply that are another each time: time and chance. */
  passing?: readonly string[];
}

const nobodysId = () => '018f0000-0000-7000-8000-000000000000';
const game = { gameId: 'solmere' };
/** For sealed calls whose content is tried elsewhere: who calls must not matter before it is read. */
const unreadable = { data: 'eyJhbGciOiJFQ0RILUVTIn0..AAAA.AAAA.AAAA' };

const ofOrder = (which: 'openId' | 'paidId'): Pick<Row, 'body' | 'nobodys'> => ({
  body: (owned) => ({ paymentId: owned[which] }),
  nobodys: () => ({ paymentId: nobodysId() }),
});

/** One row for each call of the contract; a call without one fails the test. */
export const rows: Record<string, Row> = {
  '/api/time': { body: () => ({}), passing: ['ts'] },
  '/api/user/keys': { body: () => ({}), passing: ['ts'] },
  '/api/user/login/start': {
    body: () => ({ method: 'FACEBOOK_AUTH', redirect: '/main' }),
    owner: 'LoginMethodNotOffered',
  },
  '/api/user/login': {
    body: async ({ doorkeeper: { loginName, password } }, shop) => ({
      data: await seal(shop, '/api/user/login', {
        method: 'LOGIN_NAME_PASSWD_AUTH',
        loginName,
        password,
      }),
    }),
  },
  '/api/user/wechat/info/get': { body: () => ({ code: 'a-code' }), owner: 'LoginMethodNotOffered' },
  '/api/user/info': { body: () => ({}), visitor: 'differs', mindsEnded: true },
  '/api/user/logout': { body: () => ({}), usesSession: true },
  '/api/user/challenge': { body: () => ({}), passing: ['parameters', 'signature'] },
  '/api/user/email/code/send': {
    body: () => ({
      email: `${randomUUID()}@example.com`,
      purpose: 'password_forget_email',
      proof: null,
    }),
  },
  '/api/user/phone/code/send': { body: () => unreadable, owner: 'InvalidParams' },
  '/api/user/email/psw/reset': { body: () => unreadable, owner: 'InvalidParams' },
  '/api/user/phone/psw/reset': { body: () => unreadable, owner: 'InvalidParams' },
  '/api/user/sdk/ticket/get': {
    body: ({ owner }) => ({ uid: owner.gameAccountId }),
    nobodys: () => ({ uid: 'ga_nobody' }),
    passing: ['ticket', 'expiresAt'],
  },
  '/api/user/real/info/query': { body: () => ({}) },
  '/api/user/budget/query': { body: () => ({ currency: 'USD' }) },
  '/api/user/budget/set': { body: () => ({ currency: 'USD', amountMinor: '1234567' }) },
  '/api/character/server/list': { body: () => ({ ...game, system: 'ios' }) },
  '/api/character/role/list': { body: () => ({ ...game, serverId: 's12' }) },
  '/api/character/info/select': {
    body: ({ owner: { body } }) => ({ ...game, serverId: body.serverId, roleId: body.roleId }),
    nobodys: ({ owner: { body } }) => ({ ...game, serverId: body.serverId, roleId: 'r_nobody' }),
  },
  '/api/character/game/info': { body: () => game },
  '/api/recharge/v2/items': { body: () => ({ ...game, system: 'ios' }) },
  '/api/e-recharge/items': { body: () => ({ system: 'ios' }) },
  '/api/payment/order/create': {
    body: ({ owner }) => owner.body,
    nobodys: ({ owner }) => ({ ...owner.body, roleId: 'r_nobody' }),
  },
  '/api/payment/order/create/epoint': {
    // The owner's own key: for anybody else it is a key like any other.
    body: ({ owner: { body } }) => ({
      clientOrderId: body.clientOrderId.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      itemId: 'epoint_500',
      quantity: 1,
      method: 'card',
      system: 'android',
    }),
  },
  '/api/payment/order/pay': ofOrder('openId'),
  '/api/payment/order/epoint/pay': ofOrder('paidId'),
  '/api/payment/order/detail': ofOrder('paidId'),
  '/api/payment/order/receipt': ofOrder('paidId'),
  '/api/payment/order/list': {
    body: () => ({
      shown: null,
      kind: null,
      gameId: null,
      from: null,
      until: null,
      after: null,
      limit: 100,
    }),
  },
  '/api/epoint/overage': {
    body: ({ owner }) => ({ userId: owner.gameAccountId }),
    nobodys: () => ({ userId: 'ga_nobody' }),
  },
  '/api/epoint/record': { body: () => ({ page: 1, type: 'all' }) },
  '/api/epoint/paymentIds/detail': {
    body: ({ openId, paidId }) => ({ paymentIds: [openId, paidId] }),
    nobodys: () => ({ paymentIds: [nobodysId()] }),
  },
};
