import type { Config } from './settings.ts';

/** The mail server and SMS providers. */
export function messagesOf(config: Config) {
  return {
    isProduction: config.APP_ENV !== 'development',
    mail: mailOf(config),
    tencent: config.SMS_TENCENT,
    twilio: config.SMS_TWILIO,
  };
}

function mailOf({ SMTP_URL: smtpUrl, MAIL_FROM: from }: Config) {
  return smtpUrl === undefined || from === undefined ? undefined : { smtpUrl, from };
}
