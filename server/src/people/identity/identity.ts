import type { LoginMethod } from '@pointgate/contract/accounts.ts';
import { signInReturnPath } from '@pointgate/contract/sign-in.ts';
import {
  type MethodReturningTo,
  methodsReturningTo,
  type ProviderMethod,
  signInProviders,
} from '@pointgate/contract/sign-in-providers.ts';
import type { Db } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import type { CallSite } from '../../platform/http.ts';
import { log } from '../../platform/log.ts';
import { deleteInBatches } from '../../platform/retention.ts';
import { hashSecret, newSecret } from '../../platform/secrets.ts';
import { accountOfIdentity, startSession } from '../accounts/accounts.ts';
import {
  deleteOldHandoffs,
  deleteOldSignIns,
  insertAway,
  insertHandoff,
  type Outcome,
  selectOpenId,
  selectSessionHash,
  takeAway,
  takeAwayOfAnyBrowser,
  takeHandoff,
  upsertOpenId,
} from './identity.queries.ts';
import type { IdentityProvider, ProviderAt } from './provider.ts';
import { refusingWell } from './provider-call.ts';
import { type IdentitySetting, identityProviders } from './providers.ts';
import { safeReturnPath } from './return-path.ts';
import {
  type OfficialAccounts,
  officialAccountOf,
  openIdOfCode,
  readOfficialAccounts,
} from './wechat.ts';

export const appleReturnPath = '/api/user/apple/return';
export const awayMinutes = 10;
const handoffMinutes = 2;

/** A site and its official account at WeChat. */
interface IdentitySite extends CallSite {
  wechatAppId: string | null;
  loginMethods: readonly LoginMethod[];
}

export interface IdentityContext {
  db: Db;
  siteOf: (siteId: string) => Promise<IdentitySite>;
  /** Providers that have a setting; the others are not offered. */
  providers: ReadonlyMap<ProviderMethod, ProviderAt>;
  officialAccounts: OfficialAccounts;
}

export function openIdentity({
  db,
  siteOf,
  settings,
}: Pick<IdentityContext, 'db' | 'siteOf'> & {
  settings: Readonly<Partial<Record<IdentitySetting, unknown>>>;
}): IdentityContext {
  const configured = identityProviders.filter(({ setting }) => settings[setting] !== undefined);
  return {
    db,
    siteOf,
    providers: new Map(
      configured.map(({ method, setting, open }) => [method, open(settings[setting])]),
    ),
    officialAccounts: readOfficialAccounts(settings.WECHAT_CLIENTS),
  };
}

/** A browser in a provider sign-in, identified by its cookie. */
interface InBrowser {
  site: CallSite;
  browser: string | undefined;
}

/**
 * Stores a new provider sign-in and answers its authorization URL. `browser` is the value of the
 * browser's cookie.
 */
export async function startElsewhere(
  context: IdentityContext,
  input: {
    method: ProviderMethod;
    redirect: string;
    inWechat: boolean;
    site: CallSite;
    browser: string;
  },
): Promise<{ url: string; state: string }> {
  const { method, site, inWechat } = input;
  const provider = await providerOf(context, { method, site, inWechat });
  const returnPath = safeReturnPath(input.redirect);
  const away = { state: newSecret(), nonce: newSecret(), pkceVerifier: newSecret() };
  const redirectUri = redirectUriOf(method, site, returnPath);
  // Before anything is written, because OpenID discovery may fail.
  const url = await refusingWell(method, () => provider.start({ ...away, redirectUri }));
  await context.db.transaction((tx) =>
    insertAway(tx, {
      stateHash: hashSecret(away.state),
      browserHash: hashSecret(input.browser),
      siteId: site.siteId,
      method,
      inWechat,
      nonce: away.nonce,
      pkceVerifier: away.pkceVerifier,
      returnPath,
      minutes: awayMinutes,
    }),
  );
  return { url: url.href, state: away.state };
}

/**
 * The account of a player who returns from a provider. The state is used up in any case, so that
 * each code can be tried once.
 */
async function finishElsewhere(
  context: IdentityContext,
  input: InBrowser & { method: ProviderMethod; code: string; state: string },
): Promise<{ accountId: string }> {
  const { method, code, state, site, browser } = input;
  if (browser === undefined) throw new AppError('AuthFail');
  const key = {
    stateHash: hashSecret(state),
    browserHash: hashSecret(browser),
    siteId: site.siteId,
    method,
  };
  const away = await context.db.transaction((tx) => takeAway(tx, key));
  if (away === undefined) throw new AppError('AuthFail');
  // Uses the application that the sign-in started with, because the code belongs to it.
  const provider = await providerOf(context, { method, site, inWechat: away.in_wechat });
  const returned = {
    state,
    code,
    nonce: away.nonce,
    pkceVerifier: away.pkce_verifier,
    redirectUri: redirectUriOf(method, site, away.return_path),
  };
  return { accountId: await accountAt(context, { method, provider }, returned) };
}

interface ReturnedInput extends InBrowser {
  credentials: { code: string; state: string };
  consume: () => Promise<void>;
}

type CodeMethod = MethodReturningTo<'page' | 'start'>;

/** Sign-in methods for the sign-in call with a code and a state. */
export function createIdentityMethods(context: IdentityContext) {
  const finish =
    (method: CodeMethod) =>
    async ({ credentials: { code, state }, consume, site, browser }: ReturnedInput) => {
      await consume();
      return await finishElsewhere(context, { method, code, state, site, browser });
    };
  const methods = [...methodsReturningTo('page'), ...methodsReturningTo('start')];
  const entries = methods.map((method) => [method, finish(method)]);
  // as: an entry for each of these methods
  return Object.fromEntries(entries) as Record<CodeMethod, ReturnType<typeof finish>>;
}

/** The fields of Apple's form. */
export interface AppleForm {
  state: string;
  code: string | undefined;
  isCancelled: boolean;
}

/**
 * Handles Apple's form and stores the outcome. Answers a handoff token with which the browser that
 * started the sign-in can fetch the outcome once; undefined for an unknown state.
 */
export async function takeAppleForm(
  context: IdentityContext,
  { form, site }: { form: AppleForm; site: CallSite },
): Promise<string | undefined> {
  const method = 'APPLE_SIGN_IN_AUTH';
  const provider = await providerOf(context, { method, site, inWechat: false });
  const key = { stateHash: hashSecret(form.state), siteId: site.siteId, method } as const;
  const away = await context.db.transaction((tx) => takeAwayOfAnyBrowser(tx, key));
  if (away === undefined) return undefined;
  const returned = {
    state: form.state,
    nonce: away.nonce,
    pkceVerifier: away.pkce_verifier,
    redirectUri: redirectUriOf(method, site, away.return_path),
  };
  const came = await outcomeOf(context, { method, provider, form, returned });
  const handoff = newSecret();
  await context.db.transaction((tx) =>
    insertHandoff(tx, {
      handoffHash: hashSecret(handoff),
      browserHash: away.browser_hash,
      siteId: site.siteId,
      ...came,
      returnPath: away.return_path,
      minutes: handoffMinutes,
    }),
  );
  return handoff;
}

/** Fetches the outcome of Apple's form and starts a session if the user has an account. */
export async function finishApple(
  { db }: IdentityContext,
  { handoff, site, browser }: InBrowser & { handoff: string },
): Promise<{ outcome: Outcome; returnPath: string; token: string | undefined }> {
  const nothing = { outcome: 'failed', returnPath: '/', token: undefined } as const;
  if (browser === undefined) return nothing;
  const { siteId } = site;
  const key = { handoffHash: hashSecret(handoff), browserHash: hashSecret(browser), siteId };
  const row = await db.transaction((tx) => takeHandoff(tx, key));
  if (row === undefined) return nothing;
  const { outcome, account_id: accountId, return_path: returnPath } = row;
  const token = accountId === null ? undefined : await startSessionOf(db, { accountId, siteId });
  return { outcome, returnPath, token };
}

/** Undefined if the account may not sign in: this is a redirect, which cannot carry an error. */
async function startSessionOf(
  db: Db,
  key: { accountId: string; siteId: string },
): Promise<string | undefined> {
  try {
    return await db.transaction((tx) => startSession(tx, { ...key, by: 'credentials' }));
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Exchanges a code of the WeChat app for the open id and binds it to the calling session. */
export async function bindOpenId(
  context: IdentityContext,
  { accountId, site, code }: { accountId: string; site: CallSite; code: string },
): Promise<{ openId: string }> {
  const { db } = context;
  const { siteId } = site;
  const { wechatAppId } = await context.siteOf(siteId);
  const client = officialAccountOf(context.officialAccounts, wechatAppId);
  if (client === undefined) throw new AppError('LoginMethodNotOffered');
  const session = await selectSessionHash(db, { accountId, siteId });
  if (session === undefined) throw new AppError('InvalidToken');
  const openId = await refusingWell('WECHAT_AUTH', () => openIdOfCode(client, code));
  const isBound = await db.transaction((tx) =>
    upsertOpenId(tx, {
      accountId,
      siteId,
      tokenHash: session.token_hash,
      appId: client.appId,
      openId,
    }),
  );
  if (!isBound) throw new AppError('InvalidToken');
  return { openId };
}

/** The open id bound to the account's session on this site, for payments. */
export async function openIdOfSession(
  db: Db,
  session: { accountId: string; siteId: string },
): Promise<{ appId: string; openId: string } | undefined> {
  const row = await selectOpenId(db, session);
  return row === undefined ? undefined : { appId: row.app_id, openId: row.open_id };
}

export async function forgetOldSignIns(db: Db): Promise<void> {
  await deleteInBatches(db, deleteOldSignIns, deleteOldHandoffs);
}

async function outcomeOf(
  context: IdentityContext,
  {
    form,
    returned,
    ...at
  }: AtProvider & {
    form: AppleForm;
    returned: Omit<Parameters<IdentityProvider['finish']>[0], 'code'>;
  },
): Promise<{ outcome: Outcome; accountId: string | null }> {
  if (form.isCancelled) return { outcome: 'cancelled', accountId: null };
  if (form.code === undefined) return { outcome: 'failed', accountId: null };
  try {
    const accountId = await accountAt(context, at, { ...returned, code: form.code });
    return { outcome: 'known', accountId };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The player sees only a flag, so the error code is logged here.
    log.info({ method: at.method, code: error.code }, 'a sign-in with Apple failed');
    const isUnknown = error.code === signInProviders[at.method].notFound;
    return { outcome: isUnknown ? 'unknown' : 'failed', accountId: null };
  }
}

interface AtProvider {
  method: ProviderMethod;
  provider: IdentityProvider;
}

async function accountAt(
  { db }: IdentityContext,
  { method, provider }: AtProvider,
  returned: Parameters<IdentityProvider['finish']>[0],
): Promise<string> {
  const { accountType, notFound } = signInProviders[method];
  const { subject } = await refusingWell(method, () => provider.finish(returned));
  const accountId = await accountOfIdentity(db, { accountType, subject });
  if (accountId === undefined) throw new AppError(notFound);
  return accountId;
}

async function providerOf(
  context: IdentityContext,
  { method, site, inWechat }: { method: ProviderMethod; site: CallSite; inWechat: boolean },
): Promise<IdentityProvider> {
  const { loginMethods, wechatAppId } = await context.siteOf(site.siteId);
  const provider = context.providers.get(method)?.({ wechatAppId, inWechat });
  if (provider === undefined || !loginMethods.includes(method))
    throw new AppError('LoginMethodNotOffered');
  return provider;
}

/** Whether players can sign in outside the WeChat app by scanning a code. */
export function hasWechatScan(
  { officialAccounts }: IdentityContext,
  wechatAppId: string | null,
): boolean {
  return officialAccountOf(officialAccounts, wechatAppId)?.web !== undefined;
}

function redirectUriOf(method: ProviderMethod, site: CallSite, returnPath: string): string {
  const places = { page: signInReturnPath, start: returnPath, form: appleReturnPath };
  const path = places[signInProviders[method].returnsTo];
  return new URL(path, site.portalUrl).href;
}
