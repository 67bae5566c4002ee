import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import Provider, { type Configuration, interactionPolicy } from 'oidc-provider';
import { isRecord } from '../platform/shape.ts';
import { spoiled, tokenFaults } from './id-token.ts';
import type { Exchange } from './issuer.ts';
import { type IssuerName, issuers } from './issuers.ts';
import { createOidcStore } from './oidc-store.ts';
import { people } from './people.ts';
import { recordCall, takeFault, type World } from './world.ts';

/** An OpenID provider with an issuer URL below the address of this program. */
export function createIssuer(
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
  const { isSecret } = world.clients.openid[name];
  if (isSecret !== undefined) {
    provider.Client.prototype.compareClientSecret = (secret) => isSecret(secret, issuer);
  }
  issuers[name].prepare?.(provider);
  return provider;
}

function configurationOf(world: World, name: IssuerName): Configuration {
  const { id, secret } = world.clients.openid[name];
  const { subjectOf, claimsOf, scopes, needsPkce } = issuers[name];
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
        client_id: id,
        client_secret: secret,
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
    scopes: ['openid', 'email', 'profile', ...scopes],
    conformIdTokenClaims: false,
    pkce: { required: () => needsPkce },
    ttl: {
      AuthorizationCode: 300,
      Interaction: 600,
      Session: 600,
      Grant: 600,
      IdToken: 600,
      AccessToken: 600,
    },
    findAccount: (_ctx, subject) => {
      const person = people.find((candidate) => subjectOf(candidate) === subject);
      if (person === undefined) return undefined;
      return { accountId: subject, claims: () => ({ sub: subject, ...claimsOf(person) }) };
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
