import { expect, test } from 'vitest';
import { productionEnvironment as environment } from '../../../test/production.ts';
import { readConfig } from '../../wiring/config.ts';

const clients = {
  GOOGLE_CLIENT: { id: 'id', secret: 'secret' },
  APPLE_CLIENT: {
    clientId: 'id',
    teamId: 'team',
    keyId: 'key',
    privateKey: '-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----',
  },
  FACEBOOK_CLIENT: { appId: '1', appSecret: 'secret' },
  WECHAT_CLIENTS: { wx1: { secret: 'secret', web: { appId: 'wx2', secret: 'secret' } } },
};

test.each(Object.entries(clients))(
  'the setting %s of a sign-in provider can be omitted, and is read from its JSON if it is set',
  (name, client) => {
    expect(readConfig(environment)).not.toHaveProperty(name);
    const config = readConfig({ ...environment, [name]: JSON.stringify(client) });
    expect(config).toHaveProperty(name, client);
  },
);

const elsewhere = 'http://127.0.0.1:9';

test.each([
  ['GOOGLE_CLIENT.issuer', 'GOOGLE_CLIENT', { ...clients.GOOGLE_CLIENT, issuer: elsewhere }],
  ['APPLE_CLIENT.issuer', 'APPLE_CLIENT', { ...clients.APPLE_CLIENT, issuer: elsewhere }],
  ['FACEBOOK_CLIENT.base', 'FACEBOOK_CLIENT', { ...clients.FACEBOOK_CLIENT, base: elsewhere }],
  ['WECHAT_CLIENTS.wx1.base', 'WECHAT_CLIENTS', { wx1: { secret: 's', base: elsewhere } }],
])(
  'a production configuration is refused if it overrides the address of a sign-in provider with the setting %s',
  (path, name, client) => {
    const changed = { ...environment, [name]: JSON.stringify(client) };
    expect(() => readConfig(changed)).toThrow(`${path}: must not be set in production`);
    expect(readConfig({ ...changed, APP_ENV: 'development' })).toHaveProperty(name, client);
  },
);

test.each([
  ['GOOGLE_CLIENT', { id: 'id' }],
  ['APPLE_CLIENT', { ...clients.APPLE_CLIENT, privateKey: 'a file name' }],
  ['FACEBOOK_CLIENT', { appId: 'no number', appSecret: 'secret' }],
  ['WECHAT_CLIENTS', { wx1: {} }],
])('an invalid sign-in provider setting %s is refused at startup', (name, client) => {
  expect(() => readConfig({ ...environment, [name]: JSON.stringify(client) })).toThrow(name);
});
