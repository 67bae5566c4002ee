import { join } from 'node:path';
import type { Services } from '../services/start-services.ts';
import type { Addresses, SandboxService } from './addresses.ts';
import { demoGameIds, gameSecretsOf } from './demo-games.ts';
import type { MerchantAccounts } from './merchant-accounts.ts';
import { outsideEnvironments } from './outside-env.ts';
import type { PaymentProviderName } from './payment-providers.ts';
import type { Secrets } from './secrets.ts';

export type Environments = {
  server: NodeJS.ProcessEnv;
  apis: NodeJS.ProcessEnv[];
};

/**
 * The environment of each server program, once the sandbox is running. `extra` takes precedence.
 */
export function environmentsOf(input: {
  services: Pick<Services, 'databaseUrl' | 'redisUrl'>;
  addresses: Addresses;
  secrets: Secrets;
  merchantAccounts: MerchantAccounts;
  portalDir: string | undefined;
  extra: Record<string, string>;
}): Environments {
  const { services, addresses, secrets, merchantAccounts, extra } = input;
  const { sandbox } = addresses;
  const providerSettings = Object.fromEntries(
    Object.values(merchantAccounts).flatMap(({ server }) => Object.entries(server())),
  );
  const server = {
    ...inherited(),
    APP_ENV: 'development',
    DATABASE_URL: services.databaseUrl,
    ...(services.redisUrl === null ? {} : { REDIS_URL: services.redisUrl }),
    LOGIN_KEYS: JSON.stringify(secrets.loginKeys),
    ...providerSettings,
    GAME_SECRETS: JSON.stringify(gameSecretsOf(secrets.gameSecret)),
    GAMES_WITH_LIST: demoGameIds.join(','),
    PORTAL_URL: addresses.portal,
    GAME_URL: sandbox.game,
    // The sandbox game's page, which shows delivered goods.
    PLAY_URL: `${sandbox.game}/__sandbox`,
    CODE_PEPPER: secrets.codePepper,
    MASTER_KEYS: JSON.stringify([{ id: 'k1', key: secrets.masterKey }]),
    PERSON_KEYS: JSON.stringify([{ id: 'k1', key: secrets.personKey }]),
    PERSON_INDEX_KEY: secrets.personIndexKey,
    IDENTITY_INDEX_KEY: secrets.identityIndexKey,
    ANALYTICS_KEYS: JSON.stringify([{ id: 'k1', key: secrets.analyticsKey }]),
    REDEEM_CODE_KEY: secrets.redeemCodeKey,
    ...outsideEnvironments(addresses, secrets).server,
    ...extra,
  };
  const portalDir = input.portalDir === undefined ? {} : { PORTAL_DIR: input.portalDir };
  return {
    server,
    apis: addresses.apis.map((url) => ({ ...server, ...listenAt(url), ...portalDir, ...extra })),
  };
}

/** The environment of each sandbox program. */
export function sandboxEnvironments(input: {
  addresses: Addresses;
  secrets: Secrets;
  merchantAccounts: MerchantAccounts;
  /** The data folder of the sandbox; in memory if undefined. */
  sandboxDir: string | undefined;
}): Record<SandboxService, NodeJS.ProcessEnv> {
  const { addresses, secrets, merchantAccounts, sandboxDir } = input;
  const outside = outsideEnvironments(addresses, secrets);
  const program = (service: SandboxService, settings: Record<string, string>) => ({
    ...inherited(),
    ...listenAt(addresses.sandbox[service]),
    ...settings,
  });
  const withDataFile = (service: SandboxService, settings: Record<string, string>) =>
    program(service, { ...settings, DATA_FILE: fileIn(sandboxDir, `${service}.sqlite`) });
  const provider = (name: PaymentProviderName) =>
    withDataFile(name, merchantAccounts[name].sandbox);
  return {
    stripe: provider('stripe'),
    paypal: provider('paypal'),
    wechatpay: provider('wechatpay'),
    alipay: provider('alipay'),
    adyen: provider('adyen'),
    game: withDataFile('game', { GAME_SECRETS: secrets.gameSecret }),
    mail: program('mail', outside.mail),
    sms: program('sms', outside.sms),
    identity: program('identity', outside.identity),
  };
}

function fileIn(folder: string | undefined, name: string): string {
  return folder === undefined ? '' : join(folder, name);
}

function listenAt(url: string): { HOST: string; PORT: string } {
  return { HOST: '127.0.0.1', PORT: new URL(url).port };
}

/** Our environment without PORT, which only applies to the portal. */
export function inherited(): NodeJS.ProcessEnv {
  const { PORT: _port, HOST: _host, DATABASE_URL: _db, REDIS_URL: _redis, ...rest } = process.env;
  return rest;
}
