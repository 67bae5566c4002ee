import type { z } from 'zod';

/** The stored parameters of a provider sign-in in progress. */
export interface Away {
  state: string;
  nonce: string;
  pkceVerifier: string;
  /** The redirect URI of the sign-in. */
  redirectUri: string;
}

/** An identity provider with our client there. */
export interface IdentityProvider {
  /** The authorization URL. */
  start(away: Away): Promise<URL>;
  /**
   * Exchanges the code for the provider's user id. Throws `AuthFail` if verification fails, and
   * `SystemBusy` if the provider does not answer.
   */
  finish(returned: Away & { code: string }): Promise<{ subject: string }>;
}

/** Where a sign-in takes place, for providers that have several clients. */
interface SignInPlace {
  /** The official account of the site at WeChat. */
  wechatAppId: string | null;
  /** Whether the page is shown inside WeChat. */
  inWechat: boolean;
}

/** The provider for a place; undefined if the shop has no client for it. */
export type ProviderAt = (place: SignInPlace) => IdentityProvider | undefined;

export function everywhere(provider: IdentityProvider): ProviderAt {
  return () => provider;
}

/** What the shop has to know of an identity provider. */
export interface ProviderDefinition<Setting extends string, Client> {
  /** The name of the setting, which holds our client as JSON; without it the method is not offered. */
  setting: Setting;
  client: z.ZodType<Client>;
  /** The path of each value that replaces a host of the provider, which production refuses. */
  replacedHosts(client: Client): string[][];
  /** Called once. */
  open(client: Client): ProviderAt;
}

/** Hides the type of the client, so that providers can stand in one list. */
export function defineProvider<const Setting extends string, Client>(
  definition: ProviderDefinition<Setting, Client>,
): ProviderDefinition<Setting, unknown> {
  const { client } = definition;
  return {
    ...definition,
    replacedHosts: (value) => {
      // Asked about refused settings, too, so that all errors are reported at once.
      const { data } = client.safeParse(value);
      return data === undefined ? [] : definition.replacedHosts(data);
    },
    open: (value) => definition.open(client.parse(value)),
  };
}
