import type { CodePurpose } from '@pointgate/contract/codes.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type CredentialChecks, openCredentialChecks } from '../src/people/accounts/credentials.ts';
import { bindGameAccount } from '../src/people/accounts/game-accounts.ts';
import { tellOwner } from '../src/people/notices/notices.ts';
import { sql } from '../src/platform/db.ts';
import { createApi } from '../src/wiring/app.ts';
import { analyticsEnvironment } from './analytics.ts';
import { manyTimesCode, type Owned } from './authorisation-rows.ts';
import { createOrder, givenBuyer, givenOrder } from './buying.ts';
import { givenMember, openOutbox, type TestMember, testBrowser } from './codes.ts';
import { testIndexKey } from './identities.ts';
import { openIdentityWorld, wechatCodeOf } from './identity/world.ts';
import { givenNews } from './news.ts';
import { givenPerson, personEnvironment } from './people.ts';
import { givenPoints } from './point-buying.ts';
import { givenImportedCode } from './redeem.ts';
import { givenPlayer, send, signIn, type TestShop } from './shop.ts';

/** The callers with a session. */
export const holders = ['owner', 'stranger', 'foreigner', 'expired', 'superseded'] as const;
export type Holder = (typeof holders)[number];

export interface AuthorisationWorld {
  /** With all providers, messages and real names, so that every call can succeed. */
  shop: TestShop;
  api: FastifyInstance;
  owned: Owned;
  cookies: Record<Holder, string>;
  /** The accounts of the sessions. */
  accounts: Record<Holder, string>;
  stop(): Promise<void>;
}

export async function openAuthorisationWorld(
  environment: Record<string, string> = {},
): Promise<AuthorisationWorld> {
  // Each call sends its own address, so that results do not depend on other callers' limits.
  const world = await openIdentityWorld({
    ...personEnvironment(),
    ...analyticsEnvironment(),
    CRM_SECRETS: JSON.stringify({ solmere: 'a secret of customer service, for tests' }),
    TRUST_PROXY: '1',
    ...environment,
  });
  const outbox = openOutbox();
  const checks = await openCredentialChecks({
    db: world.shop.db,
    messages: outbox,
    redisUrl: undefined,
    pepper: 'a pepper of the tests',
    indexKey: testIndexKey,
    cipher: world.shop.people.cipher,
    countries: ['CN', 'US'],
    textsPerDayMax: 10_000,
    textsUnansweredMax: 10_000,
    knownPasswordsFile: undefined,
    now: Date.now,
  });
  const api = await createApi({ ...world.shop, checks });
  const url = await api.listen({ host: '127.0.0.1', port: 0 });
  const shop = { ...world.shop, url: url.replace('127.0.0.1', 'localhost') };
  const asked = async (kind: 'mail' | 'text', purpose: CodePurpose) => {
    const member = await newMember(shop);
    const target =
      kind === 'mail'
        ? ({ kind, to: member.email } as const)
        : ({ kind, to: member.phone, country: 'CN' } as const);
    const network = `198.18.${memberCount & 255}.0/24`;
    const asking = { purpose, target, network, browser: testBrowser, proof: null } as const;
    await checks.codes.send({ ...asking, locale: 'en-US', siteTitle: 'Solmere' });
    await checks.codes.settle();
    return { member, code: outbox.codeFor(target.to) };
  };
  const owned = {
    ...(await givenOwned(shop)),
    newMember: () => newMember(shop),
    asked,
    noticeToken: () => givenNotice(shop, checks),
    wechatCode: () => wechatCodeOf(world, 'mira'),
  };
  const others = {
    stranger: await givenBuyer(shop),
    foreigner: await givenForeigner(shop),
    expired: await givenExpired(shop),
    superseded: await givenSuperseded(shop),
  };
  const of = <Key extends 'cookie' | 'accountId'>(key: Key) => ({
    owner: owned.owner[key],
    stranger: others.stranger[key],
    foreigner: others.foreigner[key],
    expired: others.expired[key],
    superseded: others.superseded[key],
  });
  return {
    shop,
    api,
    owned,
    cookies: of('cookie'),
    accounts: of('accountId'),
    stop: async () => {
      await api.close();
      await checks.close();
      await world.stop();
    },
  };
}

async function givenOwned(
  shop: TestShop,
): Promise<Pick<Owned, 'owner' | 'openId' | 'paidId' | 'doorkeeper'>> {
  const owner = await givenBuyer(shop);
  await givenPoints(shop, owner, { basic: 100_000n });
  await givenPerson(shop, owner.accountId);
  const { paymentId: openId } = await givenOrder(shop, owner);
  const { paymentId: paidId } = await givenOrder(shop, owner, { method: 'epoint' });
  const { cookie } = owner;
  await send(shop, '/api/payment/order/epoint/pay', { cookie, body: { paymentId: paidId } });
  await createOrder(shop, owner, { clientOrderId: owner.body.clientOrderId });
  await givenNews(shop);
  await givenImportedCode(shop, manyTimesCode, { usesPerCode: 1_000 });
  return { owner, openId, paidId, doorkeeper: await givenPlayer(shop) };
}

/** The token of a notice link that the shop is sending. */
async function givenNotice(shop: TestShop, { addresses }: CredentialChecks): Promise<string> {
  const { accountId, email: subject } = await newMember(shop);
  const { tokens, messages } = shop.notices;
  const mailing = { ...shop.notices, messages: { ...messages, canMail: true } };
  const { id } = await shop.db.transaction(async (tx) => {
    const proven = {
      accountId,
      accountType: 'EMAIL',
      subject,
      locale: 'en-US',
      by: 'code',
    } as const;
    await addresses.keepIn(tx, proven);
    await tellOwner(tx, mailing, { accountId, siteId: 'solmere', event: 'password_reset' });
    return await tx.one(
      z.object({ id: z.uuid() }),
      sql`select id from account_notices where account_id = ${accountId}`,
    );
  });
  return tokens.tokenFor(id);
}

let memberCount = 0;

/** With a phone number in a range of its own, because text messages are also limited by range. */
async function newMember(shop: TestShop): Promise<TestMember> {
  memberCount += 1;
  const middle = String(memberCount).padStart(4, '0');
  return await givenMember(shop.db, { phone: `+86138${middle}8000` });
}

/** A player of another game, who has no game account in the owner's game. */
async function givenForeigner(shop: TestShop) {
  const player = await givenPlayer(shop);
  const { accountId, gameAccountId } = player;
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into games (id, name, subtitle, api_url)
      select 'elsewhere', name, subtitle, api_url from games where id = 'solmere'`);
    await tx.run(sql`delete from game_accounts where account_id = ${accountId}`);
    await bindGameAccount(tx, { accountId, gameId: 'elsewhere', gameAccountId });
  });
  return { accountId, cookie: await signIn(shop, player) };
}

async function givenExpired(shop: TestShop) {
  const player = await givenPlayer(shop);
  const { accountId } = player;
  const cookie = await signIn(shop, player);
  await shop.db.transaction((tx) =>
    tx.run(sql`update sessions set expires_at = now() where account_id = ${accountId}`),
  );
  return { accountId, cookie };
}

async function givenSuperseded(shop: TestShop) {
  const player = await givenPlayer(shop);
  const cookie = await signIn(shop, player);
  await signIn(shop, player);
  return { accountId: player.accountId, cookie };
}
