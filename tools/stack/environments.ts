import { join } from 'node:path';
import type { Services } from '../services/start-services.ts';
import type { Addresses, SandboxService } from './addresses.ts';
import { gameSecretsOf } from './demo-games.ts';
import { elsewhereOf } from './elsewhere.ts';
import type { Secrets } from './secrets.ts';

export type Environments = {
  server: NodeJS.ProcessEnv;
  apis: NodeJS.ProcessEnv[];
  sandbox: Record<SandboxService, NodeJS.ProcessEnv>;
};

/** What each program is told. `extra` goes to the server's programs and wins. */
export function environmentsOf(input: {
  services: Pick<Services, 'databaseUrl' | 'redisUrl'>;
  addresses: Addresses;
  secrets: Secrets;
  portalDir: string | undefined;
  /** Where the sandbox keeps its data; in memory if undefined. */
  sandboxDir: string | undefined;
  extra: Record<string, string>;
}): Environments {
  const { services, addresses, secrets, extra } = input;
  const { sandbox } = addresses;
  const ours = inherited();
  const elsewhere = elsewhereOf(addresses, secrets);
  const server = {
    ...ours,
    APP_ENV: 'development',
    DATABASE_URL: services.databaseUrl,
    ...(services.redisUrl === null ? {} : { REDIS_URL: services.redisUrl }),
    LOGIN_KEYS: JSON.stringify(secrets.loginKeys),
    STRIPE_SECRET_KEY: secrets.stripeSecretKey,
    STRIPE_WEBHOOK_SECRETS: secrets.stripeWebhookSecret,
    STRIPE_API_BASE: sandbox.stripe,
    GAME_SECRETS: JSON.stringify(gameSecretsOf(secrets.gameSecret)),
    PORTAL_URL: addresses.portal,
    GAME_URL: sandbox.game,
    // The game's own page shows what has arrived there.
    PLAY_URL: `${sandbox.game}/__sandbox`,
    CODE_PEPPER: secrets.codePepper,
    PERSON_KEYS: JSON.stringify([{ id: 'k1', key: secrets.personKey }]),
    PERSON_INDEX_KEY: secrets.personIndexKey,
    IDENTITY_INDEX_KEY: secrets.identityIndexKey,
    ANALYTICS_KEYS: JSON.stringify([{ id: 'k1', key: secrets.analyticsKey }]),
    REDEEM_CODE_KEY: secrets.redeemCodeKey,
    ...elsewhere.server,
    ...extra,
  };
  const portalDir = input.portalDir === undefined ? {} : { PORTAL_DIR: input.portalDir };
  return {
    server,
    apis: addresses.apis.map((url) => ({ ...server, ...listenAt(url), ...portalDir, ...extra })),
    sandbox: {
      stripe: {
        ...ours,
        ...listenAt(sandbox.stripe),
        STRIPE_SECRET_KEY: secrets.stripeSecretKey,
        STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
        WEBHOOK_URL: webhooksOf(addresses.api),
        DATA_FILE: fileIn(input.sandboxDir, 'stripe.sqlite'),
      },
      game: {
        ...ours,
        ...listenAt(sandbox.game),
        GAME_SECRETS: secrets.gameSecret,
        DATA_FILE: fileIn(input.sandboxDir, 'game.sqlite'),
      },
      mail: { ...ours, ...listenAt(sandbox.mail), ...elsewhere.mail },
      sms: { ...ours, ...listenAt(sandbox.sms), ...elsewhere.sms },
      identity: { ...ours, ...listenAt(sandbox.identity), ...elsewhere.identity },
    },
  };
}

/** Where an api takes what the provider has to say. */
export function webhooksOf(api: string): string {
  return `${api}/webhooks/stripe`;
}

function fileIn(folder: string | undefined, name: string): string {
  return folder === undefined ? '' : join(folder, name);
}

function listenAt(url: string): { HOST: string; PORT: string } {
  return { HOST: '127.0.0.1', PORT: new URL(url).port };
}

/** Ours, less what names one program's place: PORT is meant for the portal alone. */
function inherited(): NodeJS.ProcessEnv {
  const { PORT: _port, HOST: _host, DATABASE_URL: _db, REDIS_URL: _redis, ...rest } = process.env;
  return rest;
}
