import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import type { ClientAuth } from 'openid-client';
import { z } from 'zod';
import { openOpenid } from './openid.ts';
import { defineProvider, everywhere, type IdentityProvider } from './provider.ts';

const AppleClient = z.strictObject({
  clientId: z.string().min(1),
  teamId: z.string().min(1),
  keyId: z.string().min(1),
  /** PKCS #8 in PEM, as Apple gives it out. */
  privateKey: z.string().startsWith('-----BEGIN PRIVATE KEY-----'),
  /** Overrides Apple's, for the sandbox. */
  issuer: z.url().optional(),
});
export type AppleClient = z.output<typeof AppleClient>;

export const apple = defineProvider({
  setting: 'APPLE_CLIENT',
  client: AppleClient,
  replacedHosts: ({ issuer }) => (issuer === undefined ? [] : [['issuer']]),
  open: (client) => everywhere(openApple(client)),
});

const secretSeconds = 5 * 60;

/** Sign in with Apple, which has no PKCE; the nonce binds the code to the sign-in. */
export function openApple(client: AppleClient): IdentityProvider {
  const issuer = client.issuer ?? 'https://appleid.apple.com';
  const key = createPrivateKey(client.privateKey);
  const openid = openOpenid({
    issuer,
    clientId: client.clientId,
    clientAuth: signedSecret({ ...client, issuer, key }),
  });
  return {
    start: async ({ state, nonce, redirectUri }) =>
      await openid.authorizationUrl({
        // With a requested name or mail scope, Apple requires response_mode=form_post.
        scope: 'openid email',
        response_mode: 'form_post',
        redirect_uri: redirectUri,
        state,
        nonce,
      }),
    finish: async ({ pkceVerifier: _unused, ...returned }) => ({
      subject: await openid.subjectOf(returned),
    }),
  };
}

/** Apple's client secret is a JWT that we sign for each call. */
function signedSecret(client: AppleClient & { issuer: string; key: KeyObject }): ClientAuth {
  return async (_server, _client, body) => {
    const secret = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: client.keyId })
      .setIssuer(client.teamId)
      .setSubject(client.clientId)
      .setAudience(client.issuer)
      .setIssuedAt()
      .setExpirationTime(`${secretSeconds}s`)
      .sign(client.key);
    body.set('client_id', client.clientId);
    body.set('client_secret', secret);
  };
}
