import type { LoginMethod } from '@pointgate/contract/accounts.ts';
import type { Environment } from '@pointgate/contract/environment.ts';
import type { MethodElsewhere } from '@pointgate/contract/sign-in.ts';
import type * as z from 'zod/mini';
import { keepText, readText } from '../../shared/browser/kept.ts';

type Method = z.output<typeof LoginMethod>;

// In the order of the page.
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

/** A method with a form. */
export type TypedMethod = (typeof typedMethods)[number];
/** A method that redirects to the page of a provider. */
export type Provider = (typeof providers)[number];

interface WaysIn {
  typed: TypedMethod[];
  providers: Provider[];
}

/** The environment of the page and the capabilities of the site. */
interface Place extends Environment {
  /** Whether the site supports WeChat sign-in by QR code outside of the app. */
  hasWechatScan: boolean;
}

/** The methods of the site, without those that fail in this environment. */
export function waysIn(offered: readonly Method[], place: Place): WaysIn {
  return {
    typed: typedMethods.filter((method) => offered.includes(method)),
    providers: providers.filter((method) => offered.includes(method) && works[method](place)),
  };
}

const isInApp = ({ host }: Environment) => host !== 'browser';

const works: Record<Provider, (place: Place) => boolean> = {
  // Google answers `disallowed_useragent` in an in-app browser, and Facebook refuses it, too.
  GOOGLE_PLAY_GAMES_AUTH: (environment) => !isInApp(environment),
  FACEBOOK_AUTH: (environment) => !isInApp(environment),
  // The page of Apple does not work in an Android web view.
  APPLE_SIGN_IN_AUTH: (environment) => !(isInApp(environment) && environment.system === 'android'),
  WECHAT_AUTH: (place) => place.hasWechatScan || !isWechatScanned(place),
};

/** Inside WeChat the app confirms the sign-in; elsewhere WeChat shows a QR code. */
export function isWechatScanned({ host }: Environment): boolean {
  return host !== 'wechat';
}

const lastKey = 'pointgate.last-login-method';

export type RememberedMethod = TypedMethod | Provider | 'PASSKEY';

/** The last sign-in method of this device, if it is still available. */
export function lastMethod({ typed, providers: shown }: WaysIn): RememberedMethod | null {
  const last = readText('localStorage', lastKey);
  const ways: RememberedMethod[] = [...typed, ...shown, 'PASSKEY'];
  return ways.find((method) => method === last) ?? null;
}

export function rememberMethod(method: RememberedMethod): void {
  keepText('localStorage', lastKey, method);
}
