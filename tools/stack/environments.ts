import { join } from 'node:path';
import type { Services } from '../services/start-services.ts';
import type { Addresses, SandboxService } from './addresses.ts';
import type { Contracts } from './contracts.ts';
import { demoGameIds, gameSecretsOf } from './demo-games.ts';
import { elsewhereOf } from './elsewhere.ts';
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
  contracts: Contracts;
  portalDir: string | undefined;
  extra: Record<string, string>;
}): Environments {
  const { services, addresses, secrets, contracts, extra } = input;
  const { sandbox } = addresses;
  const told = Object.fromEntries(
    Object.values(contracts).flatMap(({ server }) => Object.entries(server())),
  );
  const server = {
    ...inherited(),
    APP_ENV: 'development',
    DATABASE_URL: services.databaseUrl,
    ...(services.redisUrl === null ? {} : { REDIS_URL: services.redisUrl }),
    LOGIN_KEYS: JSON.stringify(secrets.loginKeys),
    ...told,
    GAME_SECRETS: JSON.stringify(gameSecretsOf(secrets.gameSecret)),
    GAMES_WITH_LIST: demoGameIds.join(','),
    PORTAL_URL: addresses.portal,
    GAME_URL: sandbox.game,
    // The sandbox game's page, which shows delivered goods.
    PLAY_URL: `${sandbox.game}/__sandbox`,
    CODE_PEPPER: secrets.codePepper,
    PERSON_KEYS: JSON.stringify([{ id: 'k1', key: secrets.personKey }]),
    PERSON_INDEX_KEY: secrets.personIndexKey,
    IDENTITY_INDEX_KEY: secrets.identityIndexKey,
    ANALYTICS_KEYS: JSON.stringify([{ id: 'k1', key: secrets.analyticsKey }]),
    REDEEM_CODE_KEY: secrets.redeemCodeKey,
    ...elsewhereOf(addresses, secrets).server,
    ...extra,
  };
  const portalDir = input.portalDir === undefined ? {} : { PORTAL_DIR: input.portalDir };
  return {
    server,
    apis: addresses.apis.map((url) => ({ ...server, ...listenAt(url), ...portalDir, ...extra })),
  };
}

/** The environment of each sandbox program. */
export function worldOf(input: {
  addresses: Addresses;
  secrets: Secrets;
  contracts: Contracts;
  /** The data folder of the sandbox; in memory if undefined. */
  sandboxDir: string | undefined;
}): Record<SandboxService, NodeJS.ProcessEnv> {
  const { addresses, secrets, contracts, sandboxDir } = input;
  const elsewhere = elsewhereOf(addresses, secrets);
  const program = (service: SandboxService, told: Record<string, string>) => ({
    ...inherited(),
    ...listenAt(addresses.sandbox[service]),
    ...told,
  });
  const remembering = (service: SandboxService, told: Record<string, string>) =>
    program(service, { ...told, DATA_FILE: fileIn(sandboxDir, `${service}.sqlite`) });
  const provider = (name: PaymentProviderName) => remembering(name, contracts[name].sandbox);
  return {
    stripe: provider('stripe'),
    paypal: provider('paypal'),
    wechatpay: provider('wechatpay'),
    alipay: provider('alipay'),
    adyen: provider('adyen'),
    game: remembering('game', { GAME_SECRETS: secrets.gameSecret }),
    mail: program('mail', elsewhere.mail),
    sms: program('sms', elsewhere.sms),
    identity: program('identity', elsewhere.identity),
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
