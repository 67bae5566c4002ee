import { z } from 'zod';
import type { CodeMessage } from '../src/people/messages/message.ts';
import { type MessagesConfig, openMessages } from '../src/people/messages/messages.ts';
import { type Outsider, startOutsider } from './world.ts';

const tencent = { secretId: 'AKIDsandbox', secretKey: 'tencent-secret', appId: '1400006666' };
const sign = '日月传说';
const twilio = { accountSid: 'ACsandbox', authToken: 'twilio-secret', from: '+15005550006' };

/** A mail server, both SMS providers, and a shop that sends through them. */
export async function startMessageWorld(mailEnv: Record<string, string> = {}) {
  const [mail, sms] = await Promise.all([
    startOutsider('mail', mailEnv),
    startOutsider('sms', {
      TENCENT_SECRET_ID: tencent.secretId,
      TENCENT_SECRET_KEY: tencent.secretKey,
      TENCENT_APP_ID: tencent.appId,
      TENCENT_SIGN: sign,
      TENCENT_TEMPLATES: JSON.stringify({
        101: '验证码{1}，{2}分钟内有效，请勿告知他人。',
        102: '{1} is your code, valid for {2} minutes. Do not share it.',
      }),
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_FROM: twilio.from,
    }),
  ]);
  const health = await mail.ask('/__sandbox/health');
  const { smtp } = z.object({ smtp: z.url() }).parse(health);
  const config = {
    isProduction: false,
    mail: { smtpUrl: smtp, from: 'no-reply@solmere.test' },
    tencent: {
      ...tencent,
      sign,
      templates: { 'zh-CN': '101', 'en-US': '102' },
      endpoint: sms.url,
    },
    twilio: { ...twilio, base: sms.url },
    timeoutMs: 5000,
  } satisfies MessagesConfig;
  return {
    mail,
    sms,
    config,
    messages: openMessages(config),
    open: (changes: Partial<MessagesConfig>) => openMessages({ ...config, ...changes }),
    stop: async () => {
      await Promise.all([mail.stop(), sms.stop()]);
    },
  };
}
export type MessageWorld = Awaited<ReturnType<typeof startMessageWorld>>;

export function givenCode(changes: Partial<CodeMessage> & { to: string }): CodeMessage {
  return { code: '493817', minutes: 10, locale: 'en-US', siteTitle: 'Solmere', ...changes };
}

let count = 0;
/** A recipient that no other test uses. */
export const givenAddress = () => `player${++count}@mail.test`;
export const givenForeignNumber = () => `+4915200${String(++count).padStart(5, '0')}`;
export const givenChineseNumber = () => `+861380013${String(++count).padStart(4, '0')}`;

const Kept = z.object({
  messages: z.array(
    z.object({
      id: z.number(),
      at: z.iso.datetime(),
      to: z.string(),
      from: z.string(),
      subject: z.string().optional(),
      text: z.string(),
      html: z.string().optional(),
    }),
  ),
});

/** The messages that arrived for one recipient. */
export async function arrived(outsider: Outsider, to: string) {
  const path = `/__sandbox/messages?to=${encodeURIComponent(to)}`;
  return Kept.parse(await outsider.ask(path)).messages;
}

const Faults = z.object({ faults: z.array(z.object({ times: z.number() })) });

/** The number of injected faults that have not been triggered yet. */
export async function faultsLeft(outsider: Outsider): Promise<number> {
  const { faults } = Faults.parse(await outsider.ask('/__sandbox/faults'));
  return faults.reduce((sum, { times }) => sum + times, 0);
}
