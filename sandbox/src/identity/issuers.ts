import { json, object, text } from '../platform/shape.ts';
import { apple } from './apple.ts';
import type { Issuer } from './issuer.ts';

/** All OpenID providers, each at a path of its name. */
const list = {
  google: {
    title: 'Google',
    setting: 'GOOGLE_CLIENT',
    client: json(object({ id: text, secret: text })),
    subjectOf: ({ google }) => google,
    claimsOf: ({ email, name }) => ({ email, email_verified: true, name }),
    scopes: [],
    needsPkce: true,
    cancelled: 'access_denied',
  },
  apple,
} satisfies Record<string, Issuer>;

export type IssuerName = keyof typeof list;
export const issuers: Readonly<Record<IssuerName, Issuer>> = list;
// as: the keys of a constant without further fields
export const issuerNames = Object.keys(issuers) as IssuerName[];

/** An entry for each issuer. */
export function byIssuer<T>(make: (name: IssuerName) => T): Record<IssuerName, T> {
  const entries = issuerNames.map((name): [IssuerName, T] => [name, make(name)]);
  return Object.fromEntries(entries) as Record<IssuerName, T>; // as: made of all names
}
