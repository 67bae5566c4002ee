import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { defineProvider, everywhere, type IdentityProvider } from './provider.ts';
import { getJson, ProviderRefusal } from './provider-call.ts';

const FacebookClient = z.strictObject({
  appId: z.string().regex(/^\d+$/),
  appSecret: z.string().min(1),
  /** Overrides both of Facebook's hosts, for the sandbox. */
  base: z.url().optional(),
});
type FacebookClient = z.output<typeof FacebookClient>;

export const facebook = defineProvider({
  setting: 'FACEBOOK_CLIENT',
  client: FacebookClient,
  replacedHosts: ({ base }) => (base === undefined ? [] : [['base']]),
  open: (client) => everywhere(openFacebook(client)),
});

const version = 'v23.0';

const Token = z.object({ access_token: z.string().min(1) });
const TokenFacts = z.object({
  data: z.object({
    app_id: z.string(),
    type: z.string(),
    is_valid: z.literal(true),
    user_id: z.string().min(1),
  }),
});
const Me = z.object({ id: z.string().min(1) });

/** Facebook Login for the web: OAuth 2 with calls of its own to verify the token. */
function openFacebook({ appId, appSecret, base }: FacebookClient): IdentityProvider {
  const pages = `${base ?? 'https://www.facebook.com'}/${version}`;
  const graph = `${base ?? 'https://graph.facebook.com'}/${version}`;
  return {
    start: async ({ state, redirectUri }) => {
      const url = new URL(`${pages}/dialog/oauth`);
      url.search = new URLSearchParams({
        client_id: appId,
        redirect_uri: redirectUri,
        state,
        response_type: 'code',
        scope: 'public_profile',
      }).toString();
      return url;
    },
    finish: async ({ code, redirectUri }) => {
      const { access_token } = await ask(Token, `${graph}/oauth/access_token`, {
        client_id: appId,
        client_secret: appSecret,
        redirect_uri: redirectUri,
        code,
      });
      const { data } = await ask(TokenFacts, `${graph}/debug_token`, {
        input_token: access_token,
        access_token: `${appId}|${appSecret}`,
      });
      // A token issued to another app is refused: the owner of that app could have stolen it.
      if (data.app_id !== appId || data.type !== 'USER') {
        throw new ProviderRefusal('a token of another app');
      }
      const { id } = await ask(Me, `${graph}/me`, {
        fields: 'id',
        access_token,
        appsecret_proof: createHmac('sha256', appSecret).update(access_token).digest('hex'),
      });
      if (id !== data.user_id) throw new ProviderRefusal('a token of another user');
      return { subject: id };
    },
  };
}

async function ask<T>(
  reply: z.ZodType<T>,
  address: string,
  query: Record<string, string>,
): Promise<T> {
  const { status, body } = await getJson(address, query);
  const parsed = reply.safeParse(body);
  if (status === 200 && parsed.success) return parsed.data;
  const call = new URL(address).pathname;
  throw new ProviderRefusal(`${call} answered ${status}, code ${errorCodeOf(body)}`);
}

/** The numeric code only: the error message may repeat secrets of the request. */
function errorCodeOf(body: unknown): number | undefined {
  return z.object({ error: z.object({ code: z.number() }) }).safeParse(body).data?.error.code;
}
