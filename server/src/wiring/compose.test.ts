import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readConfig, readDatabaseUsers, seedSettingNames, settingNames } from './config.ts';

// compose.yaml is how a stranger runs the shop: a setting that it does not hand on cannot be set.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const compose = readFileSync(`${root}/compose.yaml`, 'utf8');
const [, environment = ''] =
  /\n {2}environment: &server-environment\n((?: {4}.*\n)+)/.exec(compose) ?? [];
const handedOn = [...environment.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name = '']) => name);
const [, seed = ''] =
  /\n {2}seed:\n(?: {4}.*\n)*? {4}environment:\n((?: {6}.*\n)+)/.exec(compose) ?? [];
const handedToSeed = [...seed.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = '']) => name);
const demanded = [...compose.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name = '']) => name);

/** In the image, where they are always the same. */
const ofTheImage = ['HOST', 'PORT', 'PORTAL_DIR'];
const forDevelopment = ['EXIT_WITH_PARENT'];

test('every setting there is reaches the shop, and nothing that is none', () => {
  expect(handedOn.length).toBeGreaterThan(10);
  const settings = settingNames.filter(
    (name) => ![...ofTheImage, ...forDevelopment].includes(name),
  );
  expect(handedOn.toSorted()).toEqual(settings.toSorted());
  const dockerfile = readFileSync(`${root}/Dockerfile`, 'utf8');
  for (const name of ofTheImage) expect(dockerfile).toContain(` ${name}=`);
});

test('every setting of the demo reaches its seed, beside those that it shares with the shop', () => {
  // Who is whom at pretended providers, of which compose.yaml starts none.
  const wanted = seedSettingNames.filter((name) => name !== 'DEMO_IDENTITIES');
  expect(seed).not.toBe('');
  expect(compose).toMatch(/\n {2}seed:\n(?: {4}.*\n)*? {6}<<: \*server-environment\n/);
  expect([...handedOn, ...handedToSeed]).toEqual(expect.arrayContaining(wanted));
  expect(wanted).toEqual(expect.arrayContaining(handedToSeed));
});

/** As the file that the first lines of compose.yaml tell to make. */
function madeEnvironment(): Record<string, string> {
  const text = execFileSync(process.execPath, ['tools/compose-env.ts'], { cwd: root }).toString();
  const lines = [...text.matchAll(/^([A-Z_\d]+)='([^']*)'$/gm)];
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
}

/** What leads to pretended providers. */
const ofTheSandbox = ['STRIPE_API_BASE', 'PAYPAL', 'WECHATPAY', 'ALIPAY', 'ADYEN'];

/** For real sales, with mail; without the setting of that name. */
function productionWithout(name: string, made: Record<string, string>): Record<string, string> {
  const whole = {
    ...made,
    APP_ENV: 'production',
    DATABASE_URL: 'postgres://pointgate@postgres/pointgate',
    SMTP_URL: 'smtps://mail.example',
    MAIL_FROM: 'shop@example.com',
    // The games of the demo share one.
    GAME_SECRETS: JSON.stringify({ solmere: [made.GAME_SECRET] }),
    GAMES_WITH_LIST: 'solmere',
    STRIPE_SECRET_KEY: `sk_live_${'0'.repeat(24)}`,
  };
  const left = Object.entries(whole).filter(([key]) => key !== name && !ofTheSandbox.includes(key));
  return Object.fromEntries(left);
}

test('api and worker of compose.yaml are not the owner of the database, and migrate makes their users', () => {
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

test('what compose.yaml demands is made, and is enough for a shop that sends codes', () => {
  const made = madeEnvironment();
  expect(Object.keys(made)).toEqual(expect.arrayContaining(demanded));
  expect(() => readConfig(productionWithout('nothing', made))).not.toThrow();
});

test('the demo of compose.yaml has its providers, which production refuses', () => {
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
  // What they are told in compose.yaml is in the file.
  const told = compose.matchAll(/^ {6}((?:PAYPAL|WECHATPAY|ALIPAY|ADYEN)_[A-Z_0-9]+):$/gm);
  const names = [...told].map(([, name = '']) => name);
  expect(names).toHaveLength(20);
  expect(Object.keys(made)).toEqual(expect.arrayContaining([...names, 'PAYPAL_CERTIFICATES']));
});

test('without any one of the secrets it demands, a shop that sends codes would not start', () => {
  const made = madeEnvironment();
  const secrets = new Set(demanded.filter((name) => settingNames.includes(name)));
  expect(secrets.size).toBeGreaterThan(4);
  for (const name of secrets) {
    expect(() => readConfig(productionWithout(name, made))).toThrow(name);
  }
});
