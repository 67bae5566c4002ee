import type { CodePurpose } from '@pointgate/contract/codes.ts';
import type { ErrorCode } from '@pointgate/contract/errors.ts';
import { sql } from '../src/platform/db.ts';
import type { Buyer } from './buying.ts';
import type { TestMember } from './codes.ts';
import { seal, type TestPlayer, type TestShop } from './shop.ts';

/** Objects that belong to the owner, by name. */
export interface Owned {
  owner: Buyer;
  /** A player who is used for sign-in and sign-out only. */
  doorkeeper: TestPlayer;
  /** An order that can be paid by card. */
  openId: string;
  /** An order that was paid with points. */
  paidId: string;
  /** A new member with a mail address and a phone number, without any code requests. */
  newMember(): Promise<TestMember>;
  /** A new member who has just been sent a code. */
  asked(kind: 'mail' | 'text', purpose: CodePurpose): Promise<{ member: TestMember; code: string }>;
  /** The token of a notice link that was not used. */
  noticeToken(): Promise<string>;
  /** A one-time code from WeChat. */
  wechatCode(): Promise<string>;
}

/** How an endpoint is called with the owner's data, and the expected results of other callers. */
export interface Row {
  /** Created for each call, because some bodies can be used only once. */
  body: (owned: Owned, shop: TestShop) => object | Promise<object>;
  /** The same body with ids that do not exist; left out if the body names nothing of the owner. */
  nobodys?: (owned: Owned, shop: TestShop) => object | Promise<object>;
  /** The path and query parameters, and the same with ids that do not exist. */
  address?: (owned: Owned) => Record<string, string>;
  nobodysAddress?: () => Record<string, string>;
  /** The refusal for the owner; success by default. */
  owner?: ErrorCode;
  /**
   * The refusals for another player of the same game and for one of another game; by default
   * success with their own data.
   */
  stranger?: ErrorCode;
  foreigner?: ErrorCode;
  /** For endpoints that require a secret: a body without it, and the refusal for any session. */
  unproven?: { body: (owned: Owned, shop: TestShop) => object | Promise<object>; code: ErrorCode };
  /**
   * A public endpoint whose answer depends on the session; all others answer every caller alike.
   */
  isAboutSession?: boolean;
  /** The call ends the session or requires a recent one, so each call gets a new session. */
  usesSession?: boolean;
  /** Fields of the reply that differ each time, such as times and random values. */
  passing?: readonly string[];
  /** A part of the reply text that differs each time, if a whole field would be too much. */
  passingText?: RegExp;
}

const nobodysId = () => '018f0000-0000-7000-8000-000000000000';
const game = { gameId: 'solmere' };
const sealed = async (shop: TestShop, path: string, payload: Record<string, unknown>) => ({
  data: await seal(shop, path, payload),
});
const newPassword = 'Tide-41-hollow';
/** A code that every account can redeem once. */
export const manyTimesCode = 'G7KD-9XMP-3TWR-CV25';
const wrongCode = (code: string) => (code === '000000' ? '000001' : '000000');
const nobodysMail = () => `${crypto.randomUUID()}@example.com`;
const mailed = (email: string) => ({ email, purpose: 'password_forget_email', proof: null });
/** A counter for phone numbers that no member has. */
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

/** A response that no authenticator has made. Real ones are bound to a session or browser. */
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

/** One row for each endpoint; an endpoint without a row fails the test. */
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
      // Resets the guessing limits, because all attempts come from one network.
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
  // Requires a recent session.
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
      // Encrypted for another endpoint, as an attacker could replay it.
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
  // The review token of a password reset belongs to the account that used the code.
  '/api/user/psw/reset/passkeys': {
    body: () => ({ token: 'A'.repeat(43), remove: [] }),
    owner: 'ReviewExpired',
    stranger: 'ReviewExpired',
    foreigner: 'ReviewExpired',
  },
  '/api/user/security': { body: () => ({}) },
  // The password of the caller: all these accounts have the same one.
  '/api/user/psw/change': {
    body: (_owned, shop) =>
      sealed(shop, '/api/user/psw/change', { current: 'Dawn-58', password: newPassword }),
    usesSession: true,
  },
  // The address of another member: the reply does not reveal that it is in use.
  '/api/user/address/code/send': {
    body: async ({ newMember }, shop) =>
      sealed(shop, '/api/user/address/code/send', {
        address: { email: (await newMember()).email },
      }),
    nobodys: (_owned, shop) =>
      sealed(shop, '/api/user/address/code/send', { address: { email: nobodysMail() } }),
  },
  // A code that was sent to another address for another purpose.
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
    // Derived from the owner's clientOrderId, which means nothing for other accounts.
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
  // A code is not tied to a player: every account can redeem it for itself.
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
