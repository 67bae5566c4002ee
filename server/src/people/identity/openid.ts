import * as openid from 'openid-client';
import { z } from 'zod';
import { cachedFor } from '../../platform/cache.ts';
import type { Away } from './provider.ts';
import { askProvider } from './provider-call.ts';

const discoveryMs = 60 * 60_000;

/** An OpenID provider and our client authentication there. */
interface OpenidClient {
  issuer: string;
  clientId: string;
  clientAuth: openid.ClientAuth;
}

interface Openid {
  authorizationUrl(parameters: Record<string, string>): Promise<URL>;
  /** The subject of a valid ID token that was issued for this sign-in. */
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
      // The portal passes on code and state only; the issuer is known from the state.
      url.searchParams.set('iss', config.serverMetadata().issuer);
      const tokens = await openid.authorizationCodeGrant(config, url, {
        expectedState: returned.state,
        expectedNonce: returned.nonce,
        idTokenExpected: true,
        ...(returned.pkceVerifier === undefined ? {} : { pkceCodeVerifier: returned.pkceVerifier }),
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('the token response has no ID token');
      return claims.sub;
    },
  };
}

async function discover({ issuer, clientId, clientAuth }: OpenidClient) {
  const isPlain = issuer.startsWith('http:');
  return await openid.discovery(new URL(issuer), clientId, undefined, clientAuth, {
    [openid.customFetch]: throughTheDoor,
    // Also verifies the signature of the ID token, not only its transport over TLS from the issuer.
    execute: [
      openid.enableNonRepudiationChecks,
      ...(isPlain ? [openid.allowInsecureRequests] : []),
    ],
  });
}

/** Sends the client's requests through the common outbound call with its limits. */
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
  throw new Error('the request body is not text');
}
