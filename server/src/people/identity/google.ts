import { ClientSecretPost, calculatePKCECodeChallenge } from 'openid-client';
import { openOpenid } from './openid.ts';
import type { IdentityProvider } from './provider.ts';

export interface GoogleClient {
  id: string;
  secret: string;
  issuer?: string | undefined;
}

/**
 * Google sign-in on the web. Play Games has no web sign-in of its own: the `sub` of the same Google
 * project is what the game has linked to its player.
 */
export function openGoogle(client: GoogleClient): IdentityProvider {
  const google = openOpenid({
    issuer: client.issuer ?? 'https://accounts.google.com',
    clientId: client.id,
    clientAuth: ClientSecretPost(client.secret),
  });
  return {
    method: 'GOOGLE_PLAY_GAMES_AUTH',
    accountType: 'GOOGLE_PLAY_GAME',
    unknownCode: 'GooglePGAccountNotFound',
    start: async ({ state, nonce, pkceVerifier, redirectUri }) =>
      await google.authorizationUrl({
        scope: 'openid',
        redirect_uri: redirectUri,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(pkceVerifier),
        code_challenge_method: 'S256',
        prompt: 'select_account',
      }),
    finish: async (returned) => ({ subject: await google.subjectOf(returned) }),
  };
}
