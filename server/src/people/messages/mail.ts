import { createTransport } from 'nodemailer';
import type { SendResult } from './message.ts';
import { codeOf, notSent } from './outcome.ts';

export interface MailOptions {
  /** `smtp://` or `smtps://`, with name and password where the server wants them. */
  smtpUrl: string;
  /** The bare sender address of all mail. */
  from: string;
  isProduction: boolean;
  timeoutMs?: number | undefined;
}

export interface Mail {
  send(mail: {
    to: string;
    /** The display name of the sender. */
    fromName: string;
    subject: string;
    text: string;
    html: string;
  }): Promise<SendResult>;
}

export function openMail(options: MailOptions): Mail {
  const { timeoutMs = 15_000 } = options;
  const transport = createTransport({
    pool: true,
    maxConnections: 3,
    // Nodemailer requeues a message only if no byte of it was sent, so no mail is sent twice.
    maxRequeues: 1,
    ...serverOf(options),
    connectionTimeout: timeoutMs / 3,
    greetingTimeout: timeoutMs / 3,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, fromName, subject, text, html }) => {
      const about = { by: 'mail', to };
      if (!isOneAddress(to)) return notSent('refused', { ...about, cause: 'not one address' });
      const sending = transport.sendMail({
        from: { name: fromName, address: options.from },
        to: { name: '', address: to },
        envelope: { from: options.from, to: [to] },
        // Suppresses out-of-office replies.
        headers: { 'Auto-Submitted': 'auto-generated' },
        subject,
        text,
        html,
      });
      try {
        await within(timeoutMs, sending);
        return 'sent';
      } catch (error) {
        return notSent(isWrongRecipient(error) ? 'refused' : 'unknown', {
          ...about,
          cause: causeOf(error),
        });
      }
    },
  };
}

/**
 * Parsed here instead of by Nodemailer, because query parameters of the URL could disable TLS
 * checks.
 */
function serverOf({ smtpUrl, isProduction }: MailOptions) {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return {
    host: hostname,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: isProduction && !secure,
    ...(username === '' ? {} : { auth }),
  };
}

/** A single plain address, without line breaks, lists or a hidden second recipient. */
function isOneAddress(to: string): boolean {
  return to.length <= 254 && /^[^\s\p{Cc}<>()[\],;:\\"@]+@[^\s\p{Cc}<>()[\],;:\\"@]+$/u.test(to);
}

/**
 * An address counts as wrong only if the status code says so. Many servers also reject a recipient
 * because of the sender (5.7.1) or a full mailbox (5.2.2), which can be temporary.
 */
function isWrongRecipient(error: unknown): boolean {
  if (!(error instanceof Error) || !('command' in error) || error.command !== 'RCPT TO')
    return false;
  const response = 'response' in error ? String(error.response) : '';
  const [, code, reason] = /^(\d{3})[ -](?:(\d\.\d{1,3}\.\d{1,3})\b)?/.exec(response) ?? [];
  if (code === undefined || !/^55[013]$/.test(code)) return false;
  return reason === undefined || reason.startsWith('5.1.') || reason === '5.2.1';
}

function causeOf(error: unknown): string {
  const found = Object(error);
  const parts = [codeOf(error), found.command, found.responseCode];
  return parts.filter((part) => /^[\w. ]{1,80}$/.test(String(part ?? ''))).join(' ');
}

/**
 * Limits the total time: a server that trickles bytes would otherwise never hit the socket timeout.
 */
async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    const late = Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });
    timer = setTimeout(() => reject(late), timeoutMs);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
