import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import Provider, {
  type Configuration,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { isRecord } from '../platform/shape.ts';
import { isAppleSecret } from './apple-secret.ts';
import { spoiled, tokenFaults } from './id-token.ts';
import { createOidcStore } from './oidc-store.ts';
import { type Person, people } from './people.ts';
import { recordCall, takeFault, type World } from './world.ts';

export const issuerNames = ['google', 'apple'] as const;
export type IssuerName = (typeof issuerNames)[number];
export type Issuers = Record<IssuerName, Provider>;

/** The request as middleware sees it; `oidc` is set once the issuer has handled it. */
type Exchange = {
  path: string;
  status: number;
  body: unknown;
  oidc?: KoaContextWithOIDC['oidc'];
};

/** Google and Apple, each with an issuer URL below the address of this program. */
export function createIssuers(world: World, origin: string): Issuers {
  const google = createIssuer(world, { name: 'google', issuer: `${origin}/google` });
  const apple = createIssuer(world, { name: 'apple', issuer: `${origin}/apple` });
  const { clientId, ...signing } = world.clients.apple;
  apple.Client.prototype.compareClientSecret = (secret) =>
    isAppleSecret(secret, {
      clientId,
      ...signing,
      issuer: `${origin}/apple`,
      nowSeconds: Math.floor(Date.now() / 1_000),
    });
  const greeted = new Set<string>();
  apple.use(async (ctx, next) => {
    await next();
    addNameOnce(ctx, greeted);
  });
  return { google, apple };
}

function createIssuer(
  world: World,
  { name, issuer }: { name: IssuerName; issuer: string },
): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const store = createOidcStore();
  world.expireCodes.push(store.expireCodes);
  const provider = new Provider(issuer, {
    ...configurationOf(world, name),
    adapter: store.adapter,
    jwks: {
      keys: [
        { ...privateKey.export({ format: 'jwk' }), kid: `${name}-1`, use: 'sig', alg: 'RS256' },
      ],
    },
  });
  // Redirect URIs are registered while the program runs.
  provider.Client.prototype.redirectUriAllowed = (address) => world.returnAddresses.has(address);
  provider.use((ctx, next) => tradeWithFaults(ctx, next, { world, name, privateKey }));
  return provider;
}

function configurationOf(world: World, name: IssuerName): Configuration {
  const { google, apple } = world.clients;
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }));
  // The choice is not remembered: the next test in this browser may be another person.
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check('choose', 'somebody has to be chosen', (ctx) =>
        ctx.oidc.result?.login === undefined
          ? interactionPolicy.Check.REQUEST_PROMPT
          : interactionPolicy.Check.NO_NEED_TO_PROMPT,
      ),
    );
  return {
    clients: [
      {
        client_id: name === 'google' ? google.id : apple.clientId,
        client_secret: name === 'google' ? google.secret : 'checked by its signature',
        redirect_uris: ['https://shop.example/return'],
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    interactions: { policy, url: (_ctx, { uid }) => `/${name}/choose/${uid}` },
    features: { devInteractions: { enabled: false } },
    cookies: {
      keys: [randomBytes(32).toString('hex')],
      names: {
        session: `${name}_session`,
        interaction: `${name}_interaction`,
        resume: `${name}_resume`,
      },
    },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    scopes: ['openid', 'email', 'profile', ...(name === 'apple' ? ['name'] : [])],
    conformIdTokenClaims: false,
    pkce: { required: () => name === 'google' },
    ttl: {
      AuthorizationCode: 300,
      Interaction: 600,
      Session: 600,
      Grant: 600,
      IdToken: 600,
      AccessToken: 600,
    },
    findAccount: (_ctx, subject) => {
      const person = people.find((candidate) => candidate[name] === subject);
      if (person === undefined) return undefined;
      return { accountId: subject, claims: () => claimsOf(person, name) };
    },
    // Choosing a person also grants consent to all requested scopes.
    loadExistingGrant: async (ctx) => {
      const { client, session, provider } = ctx.oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile name');
      await grant.save();
      return grant;
    },
  };
}

function claimsOf(person: Person, name: IssuerName) {
  if (name === 'google') {
    return { sub: person.google, email: person.email, email_verified: true, name: person.name };
  }
  const email = `${person.id}@privaterelay.appleid.com`;
  return { sub: person.apple, email, email_verified: 'true' };
}

async function tradeWithFaults(
  ctx: Exchange,
  next: () => Promise<void>,
  { world, name, privateKey }: { world: World; name: IssuerName; privateKey: KeyObject },
): Promise<void> {
  if (ctx.path !== '/token') return await next();
  const fault = takeFault(world, name, ['hang', 'error', ...tokenFaults]);
  if (fault?.kind === 'hang') await world.hanging.hang(fault.hangMs);
  if (fault?.kind === 'error') {
    ctx.status = 500;
    ctx.body = 'Internal Server Error';
  } else {
    await next();
  }
  const { body } = ctx;
  if (isRecord(body) && typeof body.id_token === 'string' && isOfTheToken(fault?.kind)) {
    ctx.body = { ...body, id_token: spoiled(body.id_token, fault?.kind ?? 'expired', privateKey) };
  }
  const sent = Object.entries(ctx.oidc?.params ?? {}).filter(([, value]) => value !== undefined);
  recordCall(world, {
    provider: name,
    call: 'token',
    status: ctx.status,
    sent: sent.map(([field]) => field),
  });
}

function isOfTheToken(kind: string | undefined): boolean {
  return tokenFaults.some((fault) => fault === kind);
}

/** Apple sends a person's name next to the code, and only on the first sign-in. */
function addNameOnce(ctx: Exchange, greeted: Set<string>): void {
  const { body } = ctx;
  if (typeof body !== 'string' || !body.includes('name="code"')) return;
  const person = people.find(({ apple }) => apple === ctx.oidc?.session?.accountId);
  if (person === undefined || greeted.has(person.id)) return;
  greeted.add(person.id);
  const [firstName = '', lastName = ''] = person.name.split(' ');
  const user = JSON.stringify({ name: { firstName, lastName }, email: person.email });
  const field = `<input type="hidden" name="user" value="${user.replaceAll('"', '&quot;')}"/>`;
  ctx.body = body.replace('<noscript>', () => `${field}\n    <noscript>`);
}
