import { readdirSync } from 'node:fs';
import { type Db, openDb } from '../platform/db.ts';
import { type Stage, selectStage, stageComplaint } from '../platform/installation.ts';
import { unusableSecrets } from '../publisher/secrets/secrets.ts';
import { judgeSettings, unusable } from './config.ts';
import { isEncrypted } from './production.ts';
import type { Config } from './settings.ts';
import {
  selectDemoPlayers,
  selectMigrations,
  selectPortals,
  selectUser,
  selectWrappingKeys,
} from './start.queries.ts';

/**
 * Reads the configuration of the api and the worker. Refuses wrong settings, a database that was
 * not migrated or belongs to another stage, and in production and a rehearsal unsafe settings, and
 * reports all of them at once.
 */
export async function readConfigToStart(environment?: NodeJS.ProcessEnv): Promise<Config> {
  const { config, complaints, database } = judgeSettings(environment);
  const ofDatabase = database === undefined ? [] : await complaintsOfDatabase(database);
  const all = [...complaints, ...ofDatabase];
  if (config === undefined || all.length > 0) throw unusable(all);
  return config;
}

type Asked = NonNullable<ReturnType<typeof judgeSettings>['database']>;

async function complaintsOfDatabase(asked: Asked): Promise<string[]> {
  const db = openDb({ url: asked.url, connectionsMax: 1, applicationName: 'pointgate-start' });
  try {
    const unmigrated = await missingMigrations(db);
    if (unmigrated !== undefined) return [`DATABASE_URL: ${unmigrated}`];
    if (asked.stage === undefined) return [];
    const otherStage = stageComplaint(await selectStage(db), asked.stage);
    return [
      ...(otherStage === undefined ? [] : [`DATABASE_URL: ${otherStage}`]),
      ...(asked.stage === 'development' ? [] : await unsafeIn(db, asked, asked.stage)),
    ];
  } catch (error) {
    return [`DATABASE_URL: the database cannot be asked: ${(error as Error).message}`]; // as: pg throws errors
  } finally {
    await db.close();
  }
}

const folder = new URL('../../migrations/', import.meta.url);

/**
 * A database with newer migrations is accepted, because the previous release runs on the next
 * schema.
 */
export async function missingMigrations(db: Db): Promise<string | undefined> {
  const known = await selectMigrations(db);
  if (known === undefined) return 'the database was not migrated: run migrate first';
  const done = new Set(known);
  const missing = readdirSync(folder)
    .filter((name) => name.endsWith('.sql') && !done.has(name))
    .toSorted();
  const [first] = missing;
  return first === undefined
    ? undefined
    : `the database lacks ${missing.length} migrations, from ${first} on: run migrate first`;
}

async function unsafeIn(
  db: Db,
  { hasProxy, masterKeys, personKeys }: Asked,
  stage: Stage,
): Promise<string[]> {
  const user = await selectUser(db);
  const portals = await selectPortals(db);
  const demo = await selectDemoPlayers(db);
  const lost = (await selectWrappingKeys(db)).filter((keyId) => !personKeys.includes(keyId));
  const unopened = await unusableSecrets(db, masterKeys);
  const isHttps = (url: string) => URL.parse(url)?.protocol === 'https:';
  return [
    ...(user.is_superuser
      ? [`DATABASE_URL: ${user.name} is a superuser: api and worker need a user of their own`]
      : []),
    ...demo.map((name) => `DATABASE_URL: has the demo's player ${name}, whose password is public`),
    ...lost.map(
      (keyId) =>
        `PERSON_KEYS: lacks ${keyId}, under which rows of the database lie: keep it as the second key and run rotate-person-keys`,
    ),
    ...unopened.map(
      ({ key, reason }) =>
        `MASTER_KEYS: does not open the secret ${key} of the database: ${reason}`,
    ),
    ...portals
      .filter(({ portal_url }) => !isEncrypted(portal_url, stage))
      .map(({ id, portal_url }) => `sites.${id}: ${portal_url} is not an https address`),
    ...(!hasProxy && portals.some(({ portal_url }) => isHttps(portal_url))
      ? ['TRUST_PROXY: is missing, although players reach the shop by https, through a proxy']
      : []),
  ];
}
