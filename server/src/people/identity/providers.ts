import { type ProviderMethod, providerMethods } from '@pointgate/contract/sign-in-providers.ts';
import { apple } from './apple.ts';
import { facebook } from './facebook.ts';
import { google } from './google.ts';
import type { ProviderDefinition } from './provider.ts';
import { wechat } from './wechat.ts';

const definitions = {
  FACEBOOK_AUTH: facebook,
  GOOGLE_PLAY_GAMES_AUTH: google,
  APPLE_SIGN_IN_AUTH: apple,
  WECHAT_AUTH: wechat,
} satisfies Record<ProviderMethod, ProviderDefinition<string, unknown>>;

export type IdentitySetting = (typeof definitions)[ProviderMethod]['setting'];

/** All identity providers. */
export const identityProviders = providerMethods.map((method) => ({
  method,
  ...definitions[method],
}));
