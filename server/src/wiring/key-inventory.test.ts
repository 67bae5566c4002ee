import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settingNames } from './config.ts';

const page = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
const [, inventory = ''] = /^## Keys$(.*?)^## /ms.exec(page) ?? [];

const isSecret = (name: string) =>
  /KEYS?$|SECRETS?$|PEPPER$|CLIENTS?$|^SMS_T|_URL$|^CONTRACTS$|^(PAYPAL|WECHATPAY|ALIPAY|ADYEN)$/.test(
    name,
  );

test('every secret setting is listed in the key inventory of docs/security.md', () => {
  const secrets = settingNames.filter(isSecret);
  expect(secrets.length).toBeGreaterThan(20);
  expect(secrets.filter((name) => !inventory.includes(`\`${name}\``))).toEqual([]);
});

test('the key inventory of docs/security.md lists no unknown setting', () => {
  const named = [...inventory.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name);
  const known = [...settingNames, 'DATABASE_USERS'];
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});
