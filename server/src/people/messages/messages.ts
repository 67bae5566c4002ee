import { isInTransaction } from '../../platform/db.ts';
import { type Mail, openMail } from './mail.ts';
import type { CodeMessage, NoticeMessage, SendResult } from './message.ts';
import { noticeTexts } from './notice-texts.ts';
import { notSent } from './outcome.ts';
import { openTencent, type TencentOptions } from './tencent.ts';
import { type MailTexts, mailTexts, smsText } from './texts.ts';
import { openTwilio, type TwilioOptions } from './twilio.ts';

export interface Messages {
  canMail: boolean;
  /** Whether this shop has a provider for the country of that number, which is in E.164. */
  canText(phone: string): boolean;
  mailCode(message: CodeMessage): Promise<SendResult>;
  textCode(message: CodeMessage): Promise<SendResult>;
  mailNotice(message: NoticeMessage): Promise<SendResult>;
}

export interface MessagesConfig {
  isProduction: boolean;
  mail?: { smtpUrl: string; from: string } | undefined;
  /** For mainland China, where every text needs approval in advance. Templates are by locale. */
  tencent?: (TencentOptions & { templates: Record<string, string> }) | undefined;
  /** For all other countries. */
  twilio?: TwilioOptions | undefined;
  timeoutMs?: number | undefined;
}

/** Opens the configured providers; a shop without mail or SMS cannot send to such targets. */
export function openMessages(config: MessagesConfig): Messages {
  const mail = openMailOf(config);
  const chinese = openChineseCodes(config);
  const foreign = openForeignCodes(config);
  const providerFor = (phone: string) => (phone.startsWith('+86') ? chinese : foreign);
  return {
    canMail: mail !== undefined,
    canText: (phone) => isNumber(phone) && providerFor(phone) !== undefined,
    mailCode: async (message) => {
      if (mail === undefined) throw new Error('no mail server is configured');
      return await send((one) => mailTo(mail, one, mailTexts(one)), message);
    },
    textCode: async (message) => {
      if (!isNumber(message.to)) {
        return notSent('refused', { by: 'sms', to: message.to, cause: 'not a number' });
      }
      const provider = providerFor(message.to);
      if (provider === undefined) throw new Error('no SMS provider for this country is configured');
      return await send(provider, message);
    },
    mailNotice: async (message) => {
      if (mail === undefined) throw new Error('no mail server is configured');
      return await send((one) => mailTo(mail, one, noticeTexts(one)), message);
    },
  };
}

type SendCode = (message: CodeMessage) => Promise<SendResult>;

async function send<Message extends { siteTitle: string }>(
  sendOne: (message: Message) => Promise<SendResult>,
  message: Message,
): Promise<SendResult> {
  if (isInTransaction()) throw new Error('a message must not be sent inside a transaction');
  return await sendOne({ ...message, siteTitle: onOneLine(message.siteTitle) });
}

function openMailOf({ mail, isProduction, timeoutMs }: MessagesConfig): Mail | undefined {
  return mail === undefined ? undefined : openMail({ ...mail, isProduction, timeoutMs });
}

async function mailTo(
  mail: Mail,
  { to, siteTitle }: { to: string; siteTitle: string },
  texts: MailTexts,
): Promise<SendResult> {
  return await mail.send({ to, fromName: siteTitle, ...texts });
}

function openChineseCodes({ tencent, timeoutMs }: MessagesConfig): SendCode | undefined {
  if (tencent === undefined) return undefined;
  const { templates } = tencent;
  const sms = openTencent({ timeoutMs, ...tencent });
  return async ({ to, code, minutes, locale }) => {
    const templateId = templates[locale] ?? templates['zh-CN'];
    if (templateId === undefined) throw new Error('no template for verification codes in zh-CN');
    return await sms.send({ to, templateId, values: [code, String(minutes)] });
  };
}

function openForeignCodes({ twilio, timeoutMs }: MessagesConfig): SendCode | undefined {
  if (twilio === undefined) return undefined;
  const sms = openTwilio({ timeoutMs, ...twilio });
  return (message) => sms.send({ to: message.to, text: smsText(message) });
}

const isNumber = (phone: string) => /^\+[1-9]\d{6,14}$/.test(phone);

const onOneLine = (title: string) => title.replace(/[\s\p{Cc}]+/gu, ' ').trim();
