import { json, object, text } from '../platform/shape.ts';
import { isAppleSecret } from './apple-secret.ts';
import type { Exchange, Issuer, IssuerClient } from './issuer.ts';
import { people } from './people.ts';

const registered = json(object({ clientId: text, teamId: text, keyId: text, publicKey: text }));

/** Sign in with Apple, whose clients sign their secret, and which posts its answer as a form. */
export const apple: Issuer = {
  title: 'Apple',
  setting: 'APPLE_CLIENT',
  client: (value, at): IssuerClient => {
    const client = registered(value, at);
    return {
      id: client.clientId,
      secret: 'checked by its signature',
      isSecret: (secret, issuer) =>
        isAppleSecret(secret, { ...client, issuer, nowSeconds: Math.floor(Date.now() / 1_000) }),
    };
  },
  subjectOf: (person) => person.apple,
  claimsOf: ({ id }) => ({ email: `${id}@privaterelay.appleid.com`, email_verified: 'true' }),
  scopes: ['name'],
  needsPkce: false,
  cancelled: 'user_cancelled_authorize',
  prepare: (provider) => {
    const greeted = new Set<string>();
    provider.use(async (ctx, next) => {
      await next();
      addNameOnce(ctx, greeted);
    });
  },
};

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
