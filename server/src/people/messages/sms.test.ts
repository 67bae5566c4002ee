import { locales } from '@pointgate/contract/locales.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  arrived,
  faultsLeft,
  givenChineseNumber,
  givenCode,
  givenForeignNumber,
  type MessageWorld,
  startMessageWorld,
} from '../../../test/messages.ts';
import { log } from '../../platform/log.ts';

let world: MessageWorld;
beforeAll(async () => {
  log.level = 'silent';
  world = await startMessageWorld();
});
beforeEach(() => world.sms.tell('/__sandbox/reset', {}));
afterAll(() => world.stop());

const fault = (kind: string, more: object = {}) =>
  world.sms.tell('/__sandbox/faults', { kind, ...more });

const givenNumbers = { tencent: givenChineseNumber, twilio: givenForeignNumber };
const providers = ['tencent', 'twilio'] as const;

describe('codes by SMS', () => {
  test.each(locales)(
    'a texted one-time code in %s arrives unchanged at a number outside China',
    async (locale) => {
      const to = givenForeignNumber();
      const message = givenCode({ to, locale, minutes: 5, siteTitle: '日月 Sölmère 솔메르' });

      expect(await world.messages.textCode(message)).toBe('sent');

      const [sms, ...more] = await arrived(world.sms, to);
      expect(more).toEqual([]);
      expect(sms).toMatchObject({ from: '+15005550006' });
      for (const part of ['493817', '5', message.siteTitle]) expect(sms?.text).toContain(part);
    },
  );

  test('a texted one-time code to a Chinese number uses the approved template and the approved signature', async () => {
    const to = givenChineseNumber();
    await world.messages.textCode(givenCode({ to, locale: 'zh-CN', minutes: 5 }));
    await world.messages.textCode(givenCode({ to, locale: 'en-US', minutes: 5 }));
    await world.messages.textCode(givenCode({ to, locale: 'de-DE', minutes: 5 }));
    expect((await arrived(world.sms, to)).map(({ text }) => text)).toEqual([
      '【日月传说】验证码493817，5分钟内有效，请勿告知他人。',
      '【日月传说】493817 is your code, valid for 5 minutes. Do not share it.',
      '【日月传说】验证码493817，5分钟内有效，请勿告知他人。',
    ]);
  });

  test('a texted one-time code is sent only to countries that a configured SMS provider serves', async () => {
    const abroad = world.open({ tencent: undefined });
    const inChina = world.open({ twilio: undefined });
    const can = (phone: string) => [abroad.canText(phone), inChina.canText(phone)];
    expect(can('+8613800138000')).toEqual([false, true]);
    // Hong Kong, Macao and Taiwan have country codes of their own.
    for (const phone of ['+85251234567', '+85362123456', '+886912345678', '+4915201234567']) {
      expect(can(phone)).toEqual([true, false]);
    }
    await expect(abroad.textCode(givenCode({ to: '+8613800138000' }))).rejects.toThrow(
      'no SMS provider',
    );
  });

  test.each(['', '13800138000', '+0123456789', '+49 152 01234567', '+1', '+86138\r\n00138000'])(
    'a texted one-time code to the malformed phone number %j is refused before sending',
    async (to) => {
      const before = await world.sms.ask('/__sandbox/messages');
      expect(world.messages.canText(to)).toBe(false);
      expect(await world.messages.textCode(givenCode({ to }))).toBe('refused');
      expect(await world.sms.ask('/__sandbox/messages')).toEqual(before);
    },
  );
});

describe('SMS recipients', () => {
  test.each([
    ['an invalid number', '+15005550001'],
    ['an unsubscribed number', '+15005550004'],
    ['a number that cannot receive texts', '+15005550009'],
    ['a Chinese number that is no mobile number', '+861080013800'],
  ])('a texted one-time code to %s has the outcome refused', async (_what, to) => {
    expect(await world.messages.textCode(givenCode({ to }))).toBe('refused');
  });

  test.each(['+15005550002', '+15005550003'])(
    'a texted one-time code to %s, which Twilio cannot route or may not send to, has the outcome unknown',
    async (to) => {
      expect(await world.messages.textCode(givenCode({ to }))).toBe('unknown');
    },
  );

  test.each(providers)(
    'a texted one-time code to a number that %s has blocked is reported as refused',
    async (provider) => {
      const to = givenNumbers[provider]();
      await fault('refuse', { provider, to });
      expect(await world.messages.textCode(givenCode({ to }))).toBe('refused');
      expect(await arrived(world.sms, to)).toEqual([]);
    },
  );
});

describe.each(providers)('undetermined SMS outcomes at %s', (provider) => {
  test.each([
    ['throttle', 0],
    ['http500_before', 0],
    ['http500_after_commit', 1],
    ['cut_after_commit', 1],
  ])(
    'a texted one-time code that meets the SMS provider fault %s has the outcome unknown, without a retry',
    async (kind, count) => {
      const to = givenNumbers[provider]();
      await fault(kind, { provider, to, times: 2 });
      expect(await world.messages.textCode(givenCode({ to }))).toBe('unknown');
      expect(await arrived(world.sms, to)).toHaveLength(count);
      expect(await faultsLeft(world.sms)).toBe(1);
    },
  );

  test('a texted one-time code has the outcome unknown after the timeout when the SMS provider hangs', async () => {
    const to = givenNumbers[provider]();
    await fault('hang', { provider, to, hangMs: 60_000 });
    expect(await world.open({ timeoutMs: 300 }).textCode(givenCode({ to }))).toBe('unknown');
  });

  test('a texted one-time code has the outcome unknown when the SMS provider is unreachable', async () => {
    const { tencent, twilio } = world.config;
    const dead = world.open({
      tencent: { ...tencent, endpoint: 'http://127.0.0.1:9' },
      twilio: { ...twilio, base: 'http://127.0.0.1:9' },
    });
    expect(await dead.textCode(givenCode({ to: givenNumbers[provider]() }))).toBe('unknown');
  });

  test('a texted one-time code with wrong credentials for the SMS provider has the outcome unknown and is not sent', async () => {
    const { tencent, twilio } = world.config;
    const to = givenNumbers[provider]();
    for (const stranger of [
      world.open({
        tencent: { ...tencent, secretKey: 'guessed' },
        twilio: { ...twilio, authToken: 'guessed' },
      }),
      world.open({
        tencent: { ...tencent, secretId: 'AKIDnobody' },
        twilio: { ...twilio, accountSid: 'ACnobody' },
      }),
    ]) {
      expect(await stranger.textCode(givenCode({ to }))).toBe('unknown');
    }
    expect(await arrived(world.sms, to)).toEqual([]);
  });
});

test.each([
  ['signature', { sign: 'Somebody else' }],
  ['template', { templates: { 'zh-CN': '999' } }],
  ['application', { appId: '1400000000' }],
])(
  'a texted one-time code with a wrong Tencent %s in the configuration has the outcome unknown instead of refused',
  async (_what, changes) => {
    const to = givenChineseNumber();
    const mistaken = world.open({ tencent: { ...world.config.tencent, ...changes } });
    expect(await mistaken.textCode(givenCode({ to }))).toBe('unknown');
    expect(await arrived(world.sms, to)).toEqual([]);
  },
);
