import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readConfig, readDatabaseUsers, seedSettingNames, settingNames } from './config.ts';

// Self-hosted shops run with compose.yaml: a setting that it does not pass on cannot be set.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const compose = readFileSync(`${root}/compose.yaml`, 'utf8');
const [, environment = ''] =
  /\n {2}environment: &server-environment\n((?: {4}.*\n)+)/.exec(compose) ?? [];
const handedOn = [...environment.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name = '']) => name);
const [, seed = ''] =
  /\n {2}seed:\n(?: {4}.*\n)*? {4}environment:\n((?: {6}.*\n)+)/.exec(compose) ?? [];
const handedToSeed = [...seed.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = '']) => name);
const demanded = [...compose.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name = '']) => name);

/** Set in the image, because they are always the same. */
const ofTheImage = ['HOST', 'PORT', 'PORTAL_DIR'];
const forDevelopment = ['EXIT_WITH_PARENT'];

test('compose.yaml passes every setting to the server, and no unknown setting', () => {
  expect(handedOn.length).toBeGreaterThan(10);
  const settings = settingNames.filter(
    (name) => ![...ofTheImage, ...forDevelopment].includes(name),
  );
  expect(handedOn.toSorted()).toEqual(settings.toSorted());
  const dockerfile = readFileSync(`${root}/Dockerfile`, 'utf8');
  for (const name of ofTheImage) expect(dockerfile).toContain(` ${name}=`);
});

test('compose.yaml passes every seed setting to the seed program', () => {
  // The identities of demo players at sandbox identity providers, which compose.yaml does not
  // start.
  const wanted = seedSettingNames.filter((name) => name !== 'DEMO_IDENTITIES');
  expect(seed).not.toBe('');
  expect(compose).toMatch(/\n {2}seed:\n(?: {4}.*\n)*? {6}<<: \*server-environment\n/);
  expect([...handedOn, ...handedToSeed]).toEqual(expect.arrayContaining(wanted));
  expect(wanted).toEqual(expect.arrayContaining(handedToSeed));
});

/** The file that the first lines of compose.yaml tell to create. */
function madeEnvironment(): Record<string, string> {
  const text = execFileSync(process.execPath, ['tools/compose-env.ts'], { cwd: root }).toString();
  const lines = [...text.matchAll(/^([A-Z_\d]+)='([^']*)'$/gm)];
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
}

/** Settings that lead to sandbox providers. */
const ofTheSandbox = ['STRIPE_API_BASE', 'PAYPAL', 'WECHATPAY', 'ALIPAY', 'ADYEN'];

/** Settings of a production shop with mail, without the named setting. */
function productionWithout(name: string, made: Record<string, string>): Record<string, string> {
  const whole = {
    ...made,
    APP_ENV: 'production',
    DATABASE_URL: 'postgres://pointgate@postgres/pointgate',
    SMTP_URL: 'smtps://mail.example',
    MAIL_FROM: 'shop@example.com',
    // The demo games share one secret.
    GAME_SECRETS: JSON.stringify({ solmere: [made.GAME_SECRET] }),
    GAMES_WITH_LIST: 'solmere',
    STRIPE_SECRET_KEY: `sk_live_${'0'.repeat(24)}`,
  };
  const left = Object.entries(whole).filter(([key]) => key !== name && !ofTheSandbox.includes(key));
  return Object.fromEntries(left);
}

test('the api and worker of compose.yaml connect as database users that migrate makes, not as the owner', () => {
  const [, users = ''] = /DATABASE_USERS: >-\n((?: {8}.*\n)+)/.exec(compose) ?? [];
  const made = madeEnvironment();
  const told = users.replace(/\$\{(\w+)[^}]*\}/g, (_, name: string) => made[name] ?? '');
  expect(readDatabaseUsers({ DATABASE_USERS: told })).toMatchObject([
    { name: 'pointgate_api_user', group: 'api' },
    { name: 'pointgate_worker_user', group: 'worker' },
  ]);
  for (const program of ['api', 'worker']) {
    const own = new RegExp(
      `\\n  ${program}:\\n(?: {4}.*\\n)*?      DATABASE_URL: postgres://pointgate_${program}_user:`,
    );
    expect(compose).toMatch(own);
  }
});

test('the settings made by compose-env.ts suffice for compose.yaml and for a production shop with mail', () => {
  const made = madeEnvironment();
  expect(Object.keys(made)).toEqual(expect.arrayContaining(demanded));
  expect(() => readConfig(productionWithout('nothing', made))).not.toThrow();
});

test('the demo of compose.yaml is configured with sandbox providers, which production refuses', () => {
  const made = madeEnvironment();
  const demo = { ...made, DATABASE_URL: 'postgres://pointgate@postgres/pointgate' };
  const { PAYPAL, WECHATPAY, ALIPAY, ADYEN } = readConfig(demo);
  expect(PAYPAL?.route).toMatchObject({ host: 'paypal', port: 8443 });
  expect(made.PAYPAL_CERTIFICATES).toContain(JSON.stringify(PAYPAL?.route?.rootCertificate));
  expect(WECHATPAY).toMatchObject({ apiBase: 'http://wechatpay:8093' });
  expect(ALIPAY).toMatchObject({ gateway: 'http://alipay:8094/gateway.do' });
  expect(ADYEN).toMatchObject({ apiBase: 'http://adyen:8095' });
  expect(() => readConfig({ ...demo, APP_ENV: 'production' })).toThrow(
    /PAYPAL.*\n.*WECHATPAY.*\n.*ALIPAY.*\n.*ADYEN/,
  );
  // The settings of the sandbox providers in compose.yaml are generated too.
  const told = compose.matchAll(/^ {6}((?:PAYPAL|WECHATPAY|ALIPAY|ADYEN)_[A-Z_0-9]+):$/gm);
  const names = [...told].map(([, name = '']) => name);
  expect(names).toHaveLength(20);
  expect(Object.keys(made)).toEqual(expect.arrayContaining([...names, 'PAYPAL_CERTIFICATES']));
});

test('a production configuration with mail is refused if any one secret of compose.yaml is missing', () => {
  const made = madeEnvironment();
  const secrets = new Set(demanded.filter((name) => settingNames.includes(name)));
  expect(secrets.size).toBeGreaterThan(4);
  for (const name of secrets) {
    expect(() => readConfig(productionWithout(name, made))).toThrow(name);
  }
});
