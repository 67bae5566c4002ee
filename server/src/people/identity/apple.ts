import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import type { ClientAuth } from 'openid-client';
import { openOpenid } from './openid.ts';
import type { IdentityProvider } from './provider.ts';

export interface AppleClient {
  clientId: string;
  teamId: string;
  keyId: string;
  /** PKCS #8 in PEM, as Apple gives it out. */
  privateKey: string;
  issuer?: string | undefined;
}

const secretSeconds = 5 * 60;

/** Sign in with Apple, which has no PKCE; the nonce binds the code to the sign-in. */
export function openApple(client: AppleClient): IdentityProvider {
  const issuer = client.issuer ?? 'https://appleid.apple.com';
  const key = createPrivateKey(client.privateKey);
  const apple = openOpenid({
    issuer,
    clientId: client.clientId,
    clientAuth: signedSecret({ ...client, issuer, key }),
  });
  return {
    method: 'APPLE_SIGN_IN_AUTH',
    accountType: 'APPLE_SIGN_IN',
    unknownCode: 'AppleSignInAccountNotFound',
    start: async ({ state, nonce, redirectUri }) =>
      await apple.authorizationUrl({
        // With a requested name or mail scope, Apple requires response_mode=form_post.
        scope: 'openid email',
        response_mode: 'form_post',
        redirect_uri: redirectUri,
        state,
        nonce,
      }),
    finish: async ({ pkceVerifier: _unused, ...returned }) => ({
      subject: await apple.subjectOf(returned),
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
