import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SiteConfig } from '@pointgate/contract/site-config.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoFolder } from '../../test/demo.ts';
import { operate } from '../../test/operate.ts';
import { shopEnvironment } from '../../test/processes.ts';
import { openTestShop, type TestShop } from '../../test/shop.ts';
import { givenStage } from '../../test/stage.ts';
import { readConfigToStart } from './start.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
});
afterAll(() => shop.closeAll());

const refusal =
  /belongs to a rehearsal, for good, but APP_ENV is development: set APP_ENV=rehearsal/;

test.each([
  ['api', []],
  ['worker', []],
  ['operate', ['cases']],
  ['migrate', []],
  ['seed', []],
])('the program %s refuses to run on the database of another stage', async (program, args) => {
  await givenStage(shop.databaseUrl, 'rehearsal');
  const path = fileURLToPath(new URL(`../${program}.ts`, import.meta.url));
  const env = {
    ...shopEnvironment(shop),
    SHOP_DIR: demoFolder,
    PORTAL_URL: shop.url,
    GAME_URL: shop.game.url,
  };
  const run = promisify(execFile)(process.execPath, [path, ...args], { env });
  await expect(run).rejects.toThrow(refusal);
});

test('operate refuses a database without a stage', async () => {
  await givenStage(shop.databaseUrl, null);
  const { status, complaint } = await operate(shop, ['cases']);
  expect({ status, complaint }).toEqual({
    status: 2,
    complaint: 'DATABASE_URL: the database has no stage: run migrate first\n',
  });
});

test('a server start reports the stage of the database together with all other configuration errors', async () => {
  await givenStage(shop.databaseUrl, 'rehearsal');
  const environment = { ...shopEnvironment(shop), GAME_SECRETS: 'none' };
  await expect(readConfigToStart(environment)).rejects.toThrow(
    /GAME_SECRETS[\s\S]*DATABASE_URL: the database belongs to a rehearsal/,
  );
  await givenStage(shop.databaseUrl, 'development');
  expect((await readConfigToStart(shopEnvironment(shop))).APP_ENV).toBe('development');
});

test('the config of a site says that a shop in development is no rehearsal', async () => {
  const config = SiteConfig.parse(await (await fetch(`${shop.url}/config.json`)).json());
  expect(config.isRehearsal).toBe(false);
});
