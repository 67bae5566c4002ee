import * as openid from 'openid-client';
import { z } from 'zod';
import { cachedFor } from '../../platform/cache.ts';
import type { Away } from './provider.ts';
import { askProvider } from './provider-call.ts';

const discoveryMs = 60 * 60_000;

/** An OpenID provider: who it is, and how we prove to it who we are. */
interface OpenidClient {
  issuer: string;
  clientId: string;
  clientAuth: openid.ClientAuth;
}

interface Openid {
  authorizationUrl(parameters: Record<string, string>): Promise<URL>;
  /** The subject of a valid id token that was made for this very sign-in. */
  subjectOf(
    returned: Omit<Away, 'pkceVerifier'> & { code: string; pkceVerifier?: string },
  ): Promise<string>;
}

export function openOpenid(client: OpenidClient): Openid {
  const configuration = cachedFor(discoveryMs, () => discover(client));
  return {
    authorizationUrl: async (parameters) =>
      openid.buildAuthorizationUrl(await configuration(''), parameters),
    subjectOf: async (returned) => {
      const config = await configuration('');
      const url = new URL(returned.redirectUri);
      url.searchParams.set('code', returned.code);
      url.searchParams.set('state', returned.state);
      // The portal hands on code and state; which issuer they are from, the state has told.
      url.searchParams.set('iss', config.serverMetadata().issuer);
      const tokens = await openid.authorizationCodeGrant(config, url, {
        expectedState: returned.state,
        expectedNonce: returned.nonce,
        idTokenExpected: true,
        ...(returned.pkceVerifier === undefined ? {} : { pkceCodeVerifier: returned.pkceVerifier }),
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('there is no id token, which was expected');
      return claims.sub;
    },
  };
}

async function discover({ issuer, clientId, clientAuth }: OpenidClient) {
  const isPlain = issuer.startsWith('http:');
  return await openid.discovery(new URL(issuer), clientId, undefined, clientAuth, {
    [openid.customFetch]: throughTheDoor,
    // The signature is checked as well, and not only that the token came straight from the issuer.
    execute: [
      openid.enableNonRepudiationChecks,
      ...(isPlain ? [openid.allowInsecureRequests] : []),
    ],
  });
}

/** The client's requests leave as all others do, with the same limits. */
const throughTheDoor: openid.CustomFetch = async (url, { method, headers, body }) => {
  const reply = await askProvider({
    url,
    method: z.enum(['GET', 'POST']).parse(method),
    headers,
    ...(body === undefined || body === null ? {} : { body: bodyOf(body) }),
  });
  return new Response(reply.body, { status: reply.status, headers: reply.headers });
};

function bodyOf(body: openid.FetchBody): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('a body that is not text');
}
