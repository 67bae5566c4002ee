import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Reader } from '../platform/shape.ts';
import type { Person } from './people.ts';

/** The registered client of a shop. */
export type IssuerClient = {
  id: string;
  secret: string;
  /** Replaces the comparison with `secret`. */
  isSecret?: (secret: string, issuer: string) => boolean;
};

/** An OpenID provider. */
export type Issuer = {
  title: string;
  /** The name of the setting that holds the client as JSON. */
  setting: string;
  client: Reader<IssuerClient>;
  subjectOf: (person: Person) => string;
  /** The claims of an ID token besides `sub`. */
  claimsOf: (person: Person) => Record<string, unknown>;
  /** Scopes besides `openid`, `email` and `profile`. */
  scopes: readonly string[];
  needsPkce: boolean;
  /** The error of a person who cancels. */
  cancelled: string;
  /** Adds what only this provider does. */
  prepare?: (provider: Provider) => void;
};

/** The request as middleware sees it; `oidc` is set once the issuer has handled it. */
export type Exchange = {
  path: string;
  status: number;
  body: unknown;
  oidc?: KoaContextWithOIDC['oidc'];
};
