import { ClientSecretPost, calculatePKCECodeChallenge } from 'openid-client';
import { z } from 'zod';
import { openOpenid } from './openid.ts';
import { defineProvider, everywhere, type IdentityProvider } from './provider.ts';

const GoogleClient = z.strictObject({
  id: z.string().min(1),
  secret: z.string().min(1),
  /** Overrides Google's, for the sandbox. */
  issuer: z.url().optional(),
});
type GoogleClient = z.output<typeof GoogleClient>;

export const google = defineProvider({
  setting: 'GOOGLE_CLIENT',
  client: GoogleClient,
  replacedHosts: ({ issuer }) => (issuer === undefined ? [] : [['issuer']]),
  open: (client) => everywhere(openGoogle(client)),
});

/**
 * Google sign-in on the web. Play Games has no web sign-in of its own: the `sub` of the same Google
 * project is what the game has linked to its player.
 */
function openGoogle(client: GoogleClient): IdentityProvider {
  const openid = openOpenid({
    issuer: client.issuer ?? 'https://accounts.google.com',
    clientId: client.id,
    clientAuth: ClientSecretPost(client.secret),
  });
  return {
    start: async ({ state, nonce, pkceVerifier, redirectUri }) =>
      await openid.authorizationUrl({
        scope: 'openid',
        redirect_uri: redirectUri,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(pkceVerifier),
        code_challenge_method: 'S256',
        prompt: 'select_account',
      }),
    finish: async (returned) => ({ subject: await openid.subjectOf(returned) }),
  };
}
