import type { CodePurpose } from '@pointgate/contract/codes.ts';
import type { ErrorCode } from '@pointgate/contract/errors.ts';
import { sql } from '../src/platform/db.ts';
import type { Buyer } from './buying.ts';
import type { TestMember } from './codes.ts';
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
  /** Somebody with a mail address and a phone, who has asked for nothing yet. */
  newMember(): Promise<TestMember>;
  /** Somebody like that who has just been sent a code. */
  asked(kind: 'mail' | 'text', purpose: CodePurpose): Promise<{ member: TestMember; code: string }>;
  /** What stands in the link of a notice to somebody who has not used it. */
  noticeToken(): Promise<string>;
  /** What the WeChat app hands to the page, once. */
  wechatCode(): Promise<string>;
}

/** How a call is made with the owner's things, and what comes of it for others. */
export interface Row {
  /** Made anew for each call, because some bodies work once. */
  body: (owned: Owned, shop: TestShop) => object | Promise<object>;
  /** The same with things that nobody has; left out where the body names nobody's things. */
  nobodys?: (owned: Owned, shop: TestShop) => object | Promise<object>;
  /** What the call asks in its address, and the same for things that nobody has. */
  address?: (owned: Owned) => Record<string, string>;
  nobodysAddress?: () => Record<string, string>;
  /** What the owner gets: success, unless it says otherwise. */
  owner?: ErrorCode;
  /** What another player gets, and one of another game: success with what is theirs, if left out. */
  stranger?: ErrorCode;
  foreigner?: ErrorCode;
  /** For calls that need a secret: the same without it, which no session makes up for. */
  unproven?: { body: (owned: Owned, shop: TestShop) => object | Promise<object>; code: ErrorCode };
  /** A public call that is about the session; all others answer everybody in the same bytes. */
  isAboutSession?: boolean;
  /** The session is used up by the call, so that each call needs one of its own. */
  usesSession?: boolean;
  /** Fields of the reply that are another each time: time and chance. */
  passing?: readonly string[];
  /** Such parts of the reply, where a field is not wholly chance. */
  passingText?: RegExp;
}

const nobodysId = () => '018f0000-0000-7000-8000-000000000000';
const game = { gameId: 'solmere' };
const sealed = async (shop: TestShop, path: string, payload: Record<string, unknown>) => ({
  data: await seal(shop, path, payload),
});
const newPassword = 'Tide-41-hollow';
/** Everybody can redeem it, once. */
export const manyTimesCode = 'G7KD-9XMP-3TWR-CV25';
const wrongCode = (code: string) => (code === '000000' ? '000001' : '000000');
const nobodysMail = () => `${crypto.randomUUID()}@example.com`;
const mailed = (email: string) => ({ email, purpose: 'password_forget_email', proof: null });
/** A number that no member gets. */
let nobodysNumbers = 0;
const nobodysPhone = () => {
  nobodysNumbers += 1;
  return `+86139${String(nobodysNumbers).padStart(4, '0')}8000`;
};
const byName = (player: { loginName: string; password: string }) => ({
  method: 'LOGIN_NAME_PASSWD_AUTH',
  loginName: player.loginName,
  password: player.password,
});

const forgetFailures = (shop: TestShop) =>
  shop.db.transaction((tx) => tx.run(sql`delete from limit_counters where key like 'sign-in:%'`));
const recover = async (shop: TestShop, account: string) => {
  await forgetFailures(shop);
  const code = 'G7KD-9XMP-3TWR-CV25';
  const path = '/api/user/recovery-code/psw/reset';
  return await sealed(shop, path, { account, code, password: newPassword });
};

const phoneCode = (phone: string) => ({ phone, purpose: 'password_forget_phone', proof: null });
const texted = (shop: TestShop, phone: string) =>
  sealed(shop, '/api/user/phone/code/send', phoneCode(phone));
const resetByMail = (shop: TestShop, of: { email: string; code: string }) =>
  sealed(shop, '/api/user/email/psw/reset', { ...of, password: newPassword });
const resetByPhone = (shop: TestShop, of: { phone: string; code: string }) =>
  sealed(shop, '/api/user/phone/psw/reset', { ...of, password: newPassword });

const ofOrder = (which: 'openId' | 'paidId'): Row => ({
  body: (owned) => ({ paymentId: owned[which] }),
  nobodys: () => ({ paymentId: nobodysId() }),
  stranger: 'PaymentIdWrong',
  foreigner: 'PaymentIdWrong',
});

/** What no device has made or signed. That which one has is bound to its session or browser. */
const unmade = { id: 'AAAA', clientDataJSON: 'AAAA', attestationObject: 'AAAA', transports: [] };
const unsigned = {
  id: 'AAAA',
  clientDataJSON: 'AAAA',
  authenticatorData: 'AAAA',
  signature: 'AAAA',
  userHandle: null,
};
const refusesPasskey = {
  owner: 'PasskeyRefused',
  stranger: 'PasskeyRefused',
  foreigner: 'PasskeyRefused',
} as const;

const refusesCode = {
  owner: 'InvalidEmailCode',
  stranger: 'InvalidEmailCode',
  foreigner: 'InvalidEmailCode',
} as const;

/** One row for each call of the contract; a call without one fails the test. */
export const rows: Record<string, Row> = {
  '/api/time': { body: () => ({}), passing: ['ts'] },
  '/api/user/keys': { body: () => ({}), passing: ['ts'] },
  '/api/user/login/start': {
    body: () => ({ method: 'WECHAT_AUTH', redirect: '/main' }),
    passingText: /(?<=state=|"state":")[\w-]{43}/g,
  },
  '/api/user/login': {
    body: ({ doorkeeper }, shop) => sealed(shop, '/api/user/login', byName(doorkeeper)),
    unproven: {
      // Each as if nobody had guessed before: they all do so from one network.
      body: async ({ owner: { loginName } }, shop) => {
        await forgetFailures(shop);
        return await sealed(shop, '/api/user/login', byName({ loginName, password: 'Guess-1' }));
      },
      code: 'InvalidPassword',
    },
  },
  '/api/user/wechat/info/get': {
    body: async ({ wechatCode }) => ({ code: await wechatCode() }),
    unproven: { body: () => ({ code: 'made-up' }), code: 'AuthFail' },
  },
  '/api/user/info': { body: () => ({}), isAboutSession: true },
  '/api/user/logout': { body: () => ({}), usesSession: true },
  '/api/user/session/list': { body: () => ({}) },
  '/api/user/session/end': {
    body: () => ({ siteId: 'solmere', startedAt: '2020-01-01T00:00:00.000Z' }),
  },
  '/api/user/account/leave': { body: () => ({}), usesSession: true, passing: ['erasedAt'] },
  // A session that was begun a moment ago.
  '/api/user/account/export': { body: () => ({}), usesSession: true },
  '/api/user/challenge': { body: () => ({}), passing: ['parameters', 'signature'] },
  '/api/user/email/code/send': {
    body: async ({ newMember }) => mailed((await newMember()).email),
    nobodys: () => mailed(nobodysMail()),
  },
  '/api/user/phone/code/send': {
    body: async ({ newMember }, shop) => texted(shop, (await newMember()).phone),
    nobodys: (_owned, shop) => texted(shop, nobodysPhone()),
    unproven: {
      // Sealed for another call, as whoever has seen one of those could try.
      body: async ({ newMember }, shop) => {
        const { phone } = await newMember();
        return await sealed(shop, '/api/user/login', phoneCode(phone));
      },
      code: 'InvalidParams',
    },
  },
  '/api/user/email/psw/reset': {
    body: async ({ asked }, shop) => {
      const { member, code } = await asked('mail', 'password_forget_email');
      return await resetByMail(shop, { email: member.email, code });
    },
    unproven: {
      body: async ({ asked }, shop) => {
        const { member, code } = await asked('mail', 'password_forget_email');
        return await resetByMail(shop, { email: member.email, code: wrongCode(code) });
      },
      code: 'InvalidEmailCode',
    },
  },
  '/api/user/phone/psw/reset': {
    body: async ({ asked }, shop) => {
      const { member, code } = await asked('text', 'password_forget_phone');
      return await resetByPhone(shop, { phone: member.phone, code });
    },
    unproven: {
      body: async ({ asked }, shop) => {
        const { member, code } = await asked('text', 'password_forget_phone');
        return await resetByPhone(shop, { phone: member.phone, code: wrongCode(code) });
      },
      code: 'InvalidMobileCode',
    },
  },
  // What is asked about after a new password belongs to whoever has just used the code.
  '/api/user/psw/reset/passkeys': {
    body: () => ({ token: 'A'.repeat(43), remove: [] }),
    owner: 'ReviewExpired',
    stranger: 'ReviewExpired',
    foreigner: 'ReviewExpired',
  },
  '/api/user/security': { body: () => ({}) },
  // It is the password of whoever asks: all of these have the same one.
  '/api/user/psw/change': {
    body: (_owned, shop) =>
      sealed(shop, '/api/user/psw/change', { current: 'Dawn-58', password: newPassword }),
    usesSession: true,
  },
  // Of the address that everybody has asked for: what is said does not tell whose it is.
  '/api/user/address/code/send': {
    body: async ({ newMember }, shop) =>
      sealed(shop, '/api/user/address/code/send', {
        address: { email: (await newMember()).email },
      }),
    nobodys: (_owned, shop) =>
      sealed(shop, '/api/user/address/code/send', { address: { email: nobodysMail() } }),
  },
  // A code that was sent to somebody else's address, for something else.
  '/api/user/address/change': {
    body: async ({ asked }, shop) => {
      const { member, code } = await asked('mail', 'link_email');
      return await sealed(shop, '/api/user/address/change', {
        address: { email: member.email },
        code,
        current: 'Dawn-58',
      });
    },
    ...refusesCode,
  },
  '/api/user/address/remove': {
    body: (_owned, shop) =>
      sealed(shop, '/api/user/address/remove', { accountType: 'MOBILE', current: 'Dawn-58' }),
  },
  '/api/user/recovery-code/make': {
    body: (_owned, shop) => sealed(shop, '/api/user/recovery-code/make', { current: 'Dawn-58' }),
    passing: ['codes'],
  },
  '/api/user/recovery-code/psw/reset': {
    body: ({ owner: { loginName } }, shop) => recover(shop, loginName),
    nobodys: (_owned, shop) => recover(shop, 'nobody'),
    owner: 'InvalidRecoveryCode',
    stranger: 'InvalidRecoveryCode',
    foreigner: 'InvalidRecoveryCode',
  },
  '/api/user/secure': {
    body: async ({ noticeToken }) => ({ token: await noticeToken() }),
    unproven: {
      body: async ({ noticeToken }) => {
        const [, proof] = (await noticeToken()).split('.');
        const [id] = (await noticeToken()).split('.');
        return { token: `${id}.${proof}` };
      },
      code: 'NoticeExpired',
    },
  },
  '/api/user/sdk/ticket/get': {
    body: ({ owner }) => ({ uid: owner.gameAccountId }),
    nobodys: () => ({ uid: 'ga_nobody' }),
    stranger: 'GameAccountNotFound',
    foreigner: 'GameAccountNotFound',
    passing: ['ticket', 'expiresAt'],
  },
  '/api/user/passkey/register/start': { body: () => ({}), passing: ['challenge'] },
  '/api/user/passkey/register/finish': {
    body: () => ({ response: unmade, name: 'My phone' }),
    ...refusesPasskey,
  },
  '/api/user/passkey/list': { body: () => ({}) },
  '/api/user/passkey/remove': { body: () => ({ passkeyId: nobodysId() }) },
  '/api/user/passkey/login/start': { body: () => ({}), passing: ['challenge'] },
  '/api/user/passkey/login/finish': { body: () => ({ response: unsigned }), ...refusesPasskey },
  '/api/user/step-up/start': { body: () => ({}), ...refusesPasskey },
  '/api/user/step-up/finish': { body: () => ({ response: unsigned }), ...refusesPasskey },
  '/api/user/real/info/query': { body: () => ({}) },
  '/api/user/budget/query': { body: () => ({ currency: 'USD' }) },
  '/api/user/budget/set': { body: () => ({ currency: 'USD', amountMinor: '1234567' }) },
  '/api/character/server/list': { body: () => ({ ...game, system: 'ios' }) },
  '/api/character/role/list': {
    body: () => ({ ...game, serverId: 's12' }),
    foreigner: 'GameAccountNotFound',
  },
  '/api/character/info/select': {
    body: ({ owner: { body } }) => ({ ...game, serverId: body.serverId, roleId: body.roleId }),
    nobodys: ({ owner: { body } }) => ({ ...game, serverId: body.serverId, roleId: 'r_nobody' }),
    stranger: 'RoleNotFound',
    foreigner: 'GameAccountNotFound',
  },
  '/api/log/key': { body: () => ({ did: nobodysId() }) },
  '/api/character/game/info': { body: () => game },
  '/api/game/list': { body: () => ({}) },
  '/api/coupon/list': { body: () => ({ ...game, kind: 'item' }) },
  '/api/recharge/items': { body: () => ({ ...game, system: 'ios' }) },
  '/api/recharge/v2/items': { body: () => ({ ...game, system: 'ios' }) },
  '/api/e-recharge/items': { body: () => ({ system: 'ios' }) },
  '/api/recharge/rebate/info': { body: () => game },
  '/api/e-recharge/rebate/info': { body: () => ({}) },
  '/api/payment/methods': { body: () => ({ kind: 'item' }) },
  '/api/payment/order/create': {
    body: ({ owner }) => owner.body,
    nobodys: ({ owner }) => ({ ...owner.body, roleId: 'r_nobody' }),
    stranger: 'RoleNotFound',
    foreigner: 'GameAccountNotFound',
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
  '/api/bulletin/list': { body: () => ({ tab: 'all', after: null, limit: 50 }) },
  '/api/bulletin/detail/{id}': { body: () => ({}), address: () => ({ id: 'tidefall' }) },
  '/api/bulletin/top': { body: () => ({}) },
  '/api/game/info/content/{id}': { body: () => ({}), address: () => ({ id: 'about-us' }) },
  '/api/crm/url/get': {
    body: () => ({}),
    address: ({ openId }) => ({ paymentId: openId }),
    nobodysAddress: () => ({ paymentId: nobodysId() }),
    stranger: 'PaymentIdWrong',
    foreigner: 'PaymentIdWrong',
    passing: ['url', 'expiresAt'],
  },
  '/api/epoint/overage': {
    body: ({ owner }) => ({ userId: owner.gameAccountId }),
    nobodys: () => ({ userId: 'ga_nobody' }),
    stranger: 'GameAccountNotFound',
    foreigner: 'GameAccountNotFound',
  },
  // A code is no secret of a player's: whoever has it can redeem it, and everybody gets their own.
  '/api/redeem/use': {
    body: () => ({ code: manyTimesCode }),
    passing: ['redemptionId', 'redeemedAt'],
    unproven: { body: () => ({ code: 'A7KD-9XMP-3TWR-CV25' }), code: 'RedeemCodeNotFound' },
  },
  '/api/epoint/lots': { body: () => ({}) },
  '/api/epoint/record': { body: () => ({ page: 1, type: 'all' }) },
  '/api/epoint/paymentIds/detail': {
    body: ({ openId, paidId }) => ({ paymentIds: [openId, paidId] }),
    nobodys: () => ({ paymentIds: [nobodysId()] }),
  },
};
