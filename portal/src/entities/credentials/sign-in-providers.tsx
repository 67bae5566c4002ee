import type { Environment } from '@pointgate/contract/environment.ts';
import type { ProviderMethod } from '@pointgate/contract/sign-in-providers.ts';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';

/** The environment of the page and the capabilities of the site. */
export interface Place extends Environment {
  /** Whether the site supports WeChat sign-in by QR code outside of the app. */
  hasWechatScan: boolean;
}

interface SignInProvider {
  /** Product names are the same in all languages but one. */
  name: (t: TFunction) => string;
  /** The label of the button where it is not "Continue with" and the name. */
  label?: (t: TFunction, environment: Environment) => string | undefined;
  /** Whether the provider accepts a page in this environment. */
  worksIn: (place: Place) => boolean;
  /** The logo, drawn in 24 by 24; inline, so that no request goes to the provider. */
  mark: ReactNode;
}

/** The identity providers, in the order of the page. */
export const providers: Readonly<Record<ProviderMethod, SignInProvider>> = {
  APPLE_SIGN_IN_AUTH: {
    name: () => 'Apple',
    // The page of Apple does not work in an Android web view.
    worksIn: (place) => !(isInApp(place) && place.system === 'android'),
    mark: (
      <path
        fill="currentcolor"
        d="M17.1 12.7c0-2.4 1.9-3.5 2-3.6-1.1-1.6-2.8-1.8-3.4-1.8-1.4-.2-2.8.8-3.5.8s-1.9-.8-3.1-.8c-1.6 0-3 .9-3.8 2.3-1.7 2.9-.5 7.1 1.1 9.4.8 1.1 1.8 2.4 3 2.3 1.2 0 1.6-.7 3.1-.7s1.9.7 3.1.7c1.3 0 2.1-1.1 2.9-2.2.9-1.3 1.3-2.6 1.3-2.6s-2.7-1-2.7-3.8ZM14.8 5.8c.7-.8 1.1-1.9 1-3-1 .1-2.2.7-2.8 1.5-.6.7-1.2 1.8-1 2.8 1 .1 2.1-.5 2.8-1.3Z"
      />
    ),
  },
  GOOGLE_PLAY_GAMES_AUTH: {
    name: () => 'Google',
    // Google answers `disallowed_useragent` in an in-app browser.
    worksIn: (place) => !isInApp(place),
    mark: (
      <g fill="none" strokeWidth="4">
        <path stroke="#ea4335" d="M17.66 6.7A7.8 7.8 0 0 0 4.94 8.7" />
        <path stroke="#fbbc05" d="M4.94 8.7a7.8 7.8 0 0 0 0 6.6" />
        <path stroke="#34a853" d="M4.94 15.3a7.8 7.8 0 0 0 11.9 2.82" />
        <path stroke="#4285f4" d="M16.84 18.12A7.8 7.8 0 0 0 19.8 12H12" />
      </g>
    ),
  },
  FACEBOOK_AUTH: {
    name: () => 'Facebook',
    // Facebook refuses an in-app browser, too.
    worksIn: (place) => !isInApp(place),
    mark: (
      <>
        <circle cx="12" cy="12" r="11" fill="#1877f2" />
        <g fill="none" stroke="#fff" strokeWidth="2.7">
          <path d="M13.1 23V10.6c0-2.3 1.1-3.4 2.9-3.4h1.4M9 13.1h7.9" />
        </g>
      </>
    ),
  },
  WECHAT_AUTH: {
    name: (t) => t('login.wechat'),
    label: (t, environment) => (isWechatScanned(environment) ? t('login.scanWechat') : undefined),
    worksIn: (place) => place.hasWechatScan || !isWechatScanned(place),
    mark: (
      <>
        <path
          fill="#2dc100"
          d="M9.3 3.6C4.9 3.6 1.4 6.5 1.4 10.1c0 2 1.1 3.8 2.9 5l-.7 2.3 2.7-1.4c.9.3 1.9.4 3 .4 4.4 0 7.9-2.9 7.9-6.4S13.7 3.6 9.3 3.6Z"
        />
        <path
          fill="#5fdc3a"
          stroke="#171a3a"
          strokeWidth="1"
          d="M16 9.3c-3.8 0-6.9 2.5-6.9 5.7s3.1 5.7 6.9 5.7c.8 0 1.6-.1 2.3-.3l2.3 1.2-.6-2c1.6-1 2.7-2.7 2.7-4.6 0-3.2-3.0-5.7-6.7-5.7Z"
        />
        <g fill="#171a3a">
          <circle cx="6.7" cy="8.3" r="1" />
          <circle cx="11.6" cy="8.3" r="1" />
          <circle cx="13.8" cy="13.6" r=".85" />
          <circle cx="18.2" cy="13.6" r=".85" />
        </g>
      </>
    ),
  },
};

function isInApp({ host }: Environment): boolean {
  return host !== 'browser';
}

/** Inside WeChat the app confirms the sign-in; elsewhere WeChat shows a QR code. */
export function isWechatScanned({ host }: Environment): boolean {
  return host !== 'wechat';
}
