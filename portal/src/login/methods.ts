import type { LoginMethod } from '@pointgate/contract/accounts.ts';
import type { Environment } from '@pointgate/contract/environment.ts';
import type { MethodElsewhere } from '@pointgate/contract/sign-in.ts';
import type * as z from 'zod/mini';
import { keepText, readText } from '../session/kept.ts';

type Method = z.output<typeof LoginMethod>;

// In the order in which they stand on the page.
const typedMethods = [
  'LOGIN_NAME_PASSWD_AUTH',
  'EMAIL_PASSWORD_AUTH',
  'MOBILE_PASSWORD_AUTH',
  'MOBILE_AUTH',
] as const satisfies Method[];
const providers = [
  'APPLE_SIGN_IN_AUTH',
  'GOOGLE_PLAY_GAMES_AUTH',
  'FACEBOOK_AUTH',
  'WECHAT_AUTH',
] as const satisfies MethodElsewhere[];

/** The player types something and sends it. */
export type TypedMethod = (typeof typedMethods)[number];
/** The player goes to someone else's page and comes back. */
export type Provider = (typeof providers)[number];

interface WaysIn {
  typed: TypedMethod[];
  providers: Provider[];
}

/** Where the page is shown, and what the site can do there. */
interface Place extends Environment {
  /** Whether WeChat's players can scan a code outside its app. */
  hasWechatScan: boolean;
}

/** What the site offers, less what would fail where this page is shown. */
export function waysIn(offered: readonly Method[], place: Place): WaysIn {
  return {
    typed: typedMethods.filter((method) => offered.includes(method)),
    providers: providers.filter((method) => offered.includes(method) && works[method](place)),
  };
}

const isInApp = ({ host }: Environment) => host !== 'browser';

const works: Record<Provider, (place: Place) => boolean> = {
  // Google answers `disallowed_useragent` in a page inside an app, and Facebook refuses it too.
  GOOGLE_PLAY_GAMES_AUTH: (environment) => !isInApp(environment),
  FACEBOOK_AUTH: (environment) => !isInApp(environment),
  // Apple's page needs what a webview of Android does not have.
  APPLE_SIGN_IN_AUTH: (environment) => !(isInApp(environment) && environment.system === 'android'),
  WECHAT_AUTH: (place) => place.hasWechatScan || !isWechatScanned(place),
};

/** Inside WeChat the app itself confirms; everywhere else WeChat shows a code to scan. */
export function isWechatScanned({ host }: Environment): boolean {
  return host !== 'wechat';
}

const lastKey = 'pointgate.last-login-method';

export type RememberedMethod = TypedMethod | Provider | 'PASSKEY';

/** How the last player of this device signed in, if that is still among the ways in. */
export function lastMethod({ typed, providers: shown }: WaysIn): RememberedMethod | null {
  const last = readText('localStorage', lastKey);
  const ways: RememberedMethod[] = [...typed, ...shown, 'PASSKEY'];
  return ways.find((method) => method === last) ?? null;
}

export function rememberMethod(method: RememberedMethod): void {
  keepText('localStorage', lastKey, method);
}
