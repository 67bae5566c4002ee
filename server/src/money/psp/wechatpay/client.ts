import { Wechatpay } from 'wechatpay-axios-plugin';
import { z } from 'zod';
import { callOut, OutboundFailure, type OutboundReply } from '../../../platform/outbound.ts';
import { jsonOf } from '../replies.ts';
import type { WechatpayOptions } from './options.ts';
import { judgeSignature } from './signature.ts';

const timeoutMs = 12_000;

// Some 200,000 lines of a bill, compressed.
const fileBytesMax = 64 * 1024 * 1024;

export interface Question {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string>;
  body?: object;
}

/**
 * `refused` is a final refusal signed by WeChat. Every unverifiable answer is `unknown`, because the
 * request may have been processed. `isForged` means that the signature was wrong.
 */
export type Reply =
  | { outcome: 'ok'; value: unknown }
  | { outcome: 'refused'; code: string; isKeyRefused: boolean }
  | { outcome: 'unknown'; cause: string; isForged: boolean; isKeyRefused?: boolean };

export interface Client {
  ask(question: Question): Promise<Reply>;
  /** Downloads a file, which WeChat does not sign. */
  download(question: Question): Promise<Reply>;
}

export function openClient(options: WechatpayOptions): Client {
  const { mchId: mchid, merchantSerial: serial, merchantPrivateKey: privateKey } = options;
  const wechat = new Wechatpay({
    mchid,
    serial,
    privateKey,
    certs: { ...options.platformKeys },
    headers: { 'Wechatpay-Serial': options.answerSerial },
    ...(options.apiBase === undefined ? {} : { baseURL: `${options.apiBase}/` }),
    // Sends the SDK's requests through `callOut`, with the limits of all outgoing calls.
    adapter: async (config) => {
      const isFile = config.responseType === 'arraybuffer';
      const url = new URL(config.url ?? '', config.baseURL);
      url.search = config.params instanceof URLSearchParams ? String(config.params) : '';
      const reply = await callOut({
        url: url.href,
        method: z.enum(['GET', 'POST']).parse(config.method?.toUpperCase()),
        headers: z.record(z.string(), z.string()).parse({ ...config.headers }),
        ...(typeof config.data === 'string' ? { body: config.data } : {}),
        timeoutMs,
        ...(isFile ? { replyBytesMax: fileBytesMax } : {}),
      });
      if (reply.status !== 200 && reply.status !== 204) throw new OtherStatus(reply);
      return {
        data: isFile ? Buffer.from(reply.body) : new TextDecoder().decode(reply.body),
        status: reply.status,
        statusText: '',
        headers: Object.fromEntries(reply.headers),
        config,
      };
    },
  });

  async function request(question: Question, more: object): Promise<Reply> {
    const { method, path, query, body } = question;
    try {
      const reply = await wechat.client.request(path, method, body, {
        // Not in the path, because the SDK recognises file downloads by the path.
        params: new URLSearchParams(query),
        ...more,
      });
      return { outcome: 'ok', value: reply.data };
    } catch (error) {
      return failureOf(options, error);
    }
  }
  return {
    ask: (question) => request(question, {}),
    download: (question) => request(question, { responseType: 'arraybuffer' }),
  };
}

/** An answer with a status other than success. The SDK does not verify these, so the adapter does. */
class OtherStatus extends Error {
  readonly reply: OutboundReply;

  constructor(reply: OutboundReply) {
    super(`HTTP ${reply.status}`);
    this.reply = reply;
  }
}

const Refusal = z.object({ code: z.string().min(1) });

function failureOf(options: WechatpayOptions, error: unknown): Reply {
  if (error instanceof OutboundFailure) {
    return { outcome: 'unknown', cause: error.message, isForged: false };
  }
  if (error instanceof OtherStatus) return refusalIn(options, error.reply);
  // The SDK's code for an answer whose signature is missing, wrong, old or by an unknown key.
  const cause = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (cause.startsWith('EV3_')) return { outcome: 'unknown', cause, isForged: true };
  throw error;
}

/** Only a signed refusal is final; an unsigned one may come from a proxy. */
function refusalIn(options: WechatpayOptions, reply: OutboundReply): Reply {
  const { status, body } = reply;
  const refusal = Refusal.safeParse(jsonOf(new TextDecoder().decode(body)));
  const code = refusal.success ? refusal.data.code : 'no code';
  const cause = `HTTP ${status} ${code}`;
  const headers = Object.fromEntries(reply.headers);
  const judgement = judgeSignature(options, { headers, body, at: new Date() });
  // 5xx is undecided, and 429 can be retried.
  const isRefusal = status >= 400 && status < 500 && status !== 429 && refusal.success;
  // WeChat does not sign its answer to a request with an unknown key.
  const isKeyRefused = refusal.success && (status === 401 || status === 403);
  if (isRefusal && judgement === 'genuine') return { outcome: 'refused', code, isKeyRefused };
  return { outcome: 'unknown', cause, isForged: false, isKeyRefused };
}
