import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settingNames } from './config.ts';

const page = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
const [, inventory = ''] = /^## Keys$(.*?)^## /ms.exec(page) ?? [];

const isSecret = (name: string) =>
  /KEYS?$|SECRETS?$|PEPPER$|CLIENTS?$|^SMS_T|_URL$|^CONTRACTS$|^(PAYPAL|WECHATPAY|ALIPAY|ADYEN)$/.test(
    name,
  );

test('every secret that can be set stands in the inventory of keys', () => {
  const secrets = settingNames.filter(isSecret);
  expect(secrets.length).toBeGreaterThan(20);
  expect(secrets.filter((name) => !inventory.includes(`\`${name}\``))).toEqual([]);
});

test('the inventory of keys names no setting that there is not', () => {
  const named = [...inventory.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name);
  const known = [...settingNames, 'DATABASE_USERS'];
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});
