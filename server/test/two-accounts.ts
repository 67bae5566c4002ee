import { changeContract } from '../src/publisher/sites/sites.ts';
import { eventually, openTestShop, type TestShop, webhookEvents } from './shop.ts';
import { givenOtherSite } from './sites.ts';
import { startOutsider } from './world.ts';

/** A shop of two sites, each with its own account at the same provider. */
export interface TwoAccounts {
  /** The first site, with the account of the provider's own settings. */
  home: TestShop;
  /** The second site, with the account of the contract `stripe-eu`. */
  eu: TestShop;
  /** The setting of the second account, optionally with other webhook secrets. */
  settings(webhookSecrets?: readonly string[]): { CONTRACTS: string };
  /** Sets the contract of the second site, and waits until the shop has read it. */
  choose(contract: string | null): Promise<void>;
  closeAll(): Promise<void>;
}

export const euKey = 'sk_eu';
export const euSecrets = ['whsec_eu', 'whsec_eu_next'] as const;

export async function openTwoAccounts(
  environment: Record<string, string> = {},
): Promise<TwoAccounts> {
  const [first] = euSecrets;
  const account = await startOutsider('stripe', {
    STRIPE_SECRET_KEY: euKey,
    STRIPE_WEBHOOK_SECRET: first,
    WEBHOOK_RETRY_BASE_MS: '100',
  });
  const settings = (webhookSecrets: readonly string[] = euSecrets) => ({
    CONTRACTS: JSON.stringify({
      'stripe-eu': { provider: 'stripe', secretKey: euKey, webhookSecrets, apiBase: account.url },
      // Another provider, which is never called.
      'adyen-eu': {
        provider: 'adyen',
        apiKey: 'key',
        merchantAccount: 'EuECOM',
        environment: 'test',
        hmacKeys: ['a'.repeat(64)],
        apiBase: 'http://127.0.0.1:9',
      },
    }),
  });
  const home = await openTestShop({ LOG_LEVEL: 'silent', ...settings(), ...environment });
  await account.tell('/__sandbox/webhooks', {
    url: `${home.url}/webhooks/stripe-eu`,
    enabledEvents: webhookEvents,
    plan: {},
  });
  const portalUrl = home.url.replace('localhost', '127.0.0.1');
  const eu = { ...(await givenOtherSite(home, { portalUrl })), stripe: account };
  const choose = async (contract: string | null) => {
    const why = { by: 'ines', reason: 'a test', at: new Date() };
    await home.db.transaction((tx) =>
      changeContract(tx, { siteId: 'other', method: 'card', contract, ...why }),
    );
    await eventually(async () => {
      const site = await home.sites.byId('other');
      return site !== undefined && (site.contracts.card ?? null) === contract;
    });
  };
  await choose('stripe-eu');
  return {
    home,
    eu,
    settings,
    choose,
    closeAll: async () => {
      await account.stop();
      await home.closeAll();
    },
  };
}
