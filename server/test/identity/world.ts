import { generateKeyPairSync } from 'node:crypto';
import { z } from 'zod';
import type { AppleClient } from '../../src/people/identity/apple.ts';
import { sql } from '../../src/platform/db.ts';
import { newId } from '../../src/platform/ids.ts';
import { demoGame } from '../demo.ts';
import { openTestShop, type Reply, seal, send, type TestShop } from '../shop.ts';
import { type Outsider, startOutsider } from '../world.ts';
import { type Browser, openBrowser, type Visit } from './browser.ts';

export const officialAppId = 'wx_official_account';
export const websiteAppId = 'wx_website';
/** Another official account, whose owner has no website application. */
export const lonelyAppId = 'wx_without_website';

const People = z.object({
  people: z.array(
    z.object({
      id: z.string(),
      google: z.string(),
      apple: z.string(),
      facebook: z.string(),
      unionId: z.string().nullable(),
      openIds: z.record(z.string(), z.string()),
    }),
  ),
});
type Person = z.output<typeof People>['people'][number];

/** A shop and the four sandbox providers, configured for each other. */
export interface IdentityWorld {
  shop: TestShop;
  outside: Outsider;
  apple: AppleClient;
  person(id: string): Person;
  stop(): Promise<void>;
}

export type Method =
  | 'GOOGLE_PLAY_GAMES_AUTH'
  | 'FACEBOOK_AUTH'
  | 'WECHAT_AUTH'
  | 'APPLE_SIGN_IN_AUTH';

export async function openIdentityWorld(
  environment: Record<string, string> = {},
): Promise<IdentityWorld> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const google = { id: 'google-client', secret: 'google-secret-0123456789' };
  const apple = { clientId: 'example.shop.web', teamId: 'TEAM123456', keyId: 'KEY1234567' };
  const facebook = { appId: '123456789012345', appSecret: 'facebook-secret' };
  const official = { secret: 'official-secret' };
  const lonely = { secret: 'lonely-secret' };
  const web = { appId: websiteAppId, secret: 'website-secret' };
  const outside = await startOutsider('identity', {
    GOOGLE_CLIENT: JSON.stringify(google),
    APPLE_CLIENT: JSON.stringify({ ...apple, publicKey }),
    FACEBOOK_CLIENT: JSON.stringify(facebook),
    WECHAT_CLIENTS: JSON.stringify({
      [officialAppId]: { ...official, kind: 'official_account' },
      [lonelyAppId]: { ...lonely, kind: 'official_account' },
      [websiteAppId]: { secret: web.secret, kind: 'website' },
    }),
  });
  const clients = {
    GOOGLE_CLIENT: { ...google, issuer: `${outside.url}/google` },
    APPLE_CLIENT: { ...apple, privateKey, issuer: `${outside.url}/apple` },
    FACEBOOK_CLIENT: { ...facebook, base: `${outside.url}/facebook` },
    WECHAT_CLIENTS: {
      [officialAppId]: { ...official, web, base: `${outside.url}/wechat` },
      [lonelyAppId]: { ...lonely, base: `${outside.url}/wechat` },
    },
  };
  const shop = await openTestShop({
    ...environment,
    ...Object.fromEntries(
      Object.entries(clients).map(([name, client]) => [name, JSON.stringify(client)]),
    ),
  });
  await shop.db.transaction((tx) =>
    tx.run(sql`update sites set wechat_app_id = ${officialAppId} where id = ${demoGame.id}`),
  );
  await outside.tell('/__sandbox/return-addresses', {
    addresses: [`${shop.url}/login/return`, `${shop.url}/api/user/apple/return`],
  });
  const { people } = People.parse(await outside.ask('/__sandbox/people'));
  return {
    shop,
    outside,
    apple: clients.APPLE_CLIENT,
    person: (id) => {
      const found = people.find((person) => person.id === id);
      if (found === undefined) throw new Error(`there is no person ${id}`);
      return found;
    },
    stop: async () => {
      await outside.stop();
      await shop.closeAll();
    },
  };
}

/** An account linked to a provider user. */
export async function givenLinked(
  { shop }: IdentityWorld,
  identity: { accountType: string; subject: string },
): Promise<string> {
  const accountId = newId();
  const { accountType, subject } = identity;
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into accounts (id, account_type, display_name)
      values (${accountId}, ${accountType}, ${subject.slice(0, 8)})`);
    await tx.run(sql`
      insert into identities (account_type, subject, account_id)
      values (${accountType}, ${subject}, ${accountId})`);
  });
  return accountId;
}

/** Starts a provider sign-in, as the button on the shop's page does. */
export async function leave(
  { shop }: IdentityWorld,
  browser: Browser,
  {
    method,
    redirect = '/',
    inWechat = false,
  }: { method: Method; redirect?: string; inWechat?: boolean },
): Promise<{ url: string; state: string }> {
  const response = await fetch(`${shop.url}/api/user/login/start`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      cookie: browser.cookie(shop.url),
    },
    body: JSON.stringify({ method, redirect, inWechat }),
  });
  for (const setCookie of response.headers.getSetCookie()) browser.keep(shop.url, setCookie);
  const { data } = z
    .object({ data: z.object({ url: z.url(), state: z.string() }) })
    .parse(await response.json());
  return data;
}

/**
 * Authenticates as a person at the provider and follows the redirect back to the shop's address.
 */
export async function beSomebody(
  { shop }: IdentityWorld,
  browser: Browser,
  { url, person }: { url: string; person: string },
): Promise<Visit> {
  const page = await browser.go(url);
  return await browser.press(page, { name: 'person', value: person }, shop.url);
}

/** A code as the WeChat app gets it: from the official account, without a state. */
export async function wechatCodeOf(
  { shop, outside }: IdentityWorld,
  person: string,
): Promise<string> {
  const url = new URL(`${outside.url}/wechat/connect/oauth2/authorize`);
  url.search = new URLSearchParams({
    appid: officialAppId,
    redirect_uri: `${shop.url}/main`,
    response_type: 'code',
    scope: 'snsapi_base',
  }).toString();
  const browser = openBrowser();
  const page = await browser.go(`${url.href}#wechat_redirect`);
  const back = await browser.press(page, { name: 'person', value: person }, shop.url);
  if (back.url.searchParams.has('state')) throw new Error('the provider returned a state');
  return back.url.searchParams.get('code') ?? '';
}

/** Signs in with code and state, as the portal does after the return. */
export async function handIn(
  { shop }: IdentityWorld,
  browser: Browser,
  { method, code, state }: { method: Method; code: string; state: string },
): Promise<Reply> {
  const type = method === 'WECHAT_AUTH' ? { type: 'WeChat' } : {};
  const path = '/api/user/login';
  const data = await seal(shop, path, { method, ...type, code, state });
  return await send(shop, path, { body: { data }, cookie: browser.cookie(shop.url) });
}

/** A complete sign-in by one of the three methods that return with a code. */
export async function signInAt(
  world: IdentityWorld,
  {
    method,
    person,
    browser = openBrowser(),
    inWechat = false,
  }: { method: Method; person: string; browser?: Browser; inWechat?: boolean },
): Promise<Reply & { back: Visit; state: string; returnedCode: string }> {
  const { url, state } = await leave(world, browser, { method, inWechat });
  const back = await beSomebody(world, browser, { url, person });
  const code = back.url.searchParams.get('code') ?? '';
  const returned = back.url.searchParams.get('state') ?? '';
  const reply = await handIn(world, browser, { method, code, state: returned });
  return { ...reply, back, state, returnedCode: code };
}
