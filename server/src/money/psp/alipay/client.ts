import type { AlipaySdk } from 'alipay-sdk';
import { z } from 'zod';
import { callOut, OutboundFailure } from '../../../platform/outbound.ts';
import { beijingTime } from '../beijing-time.ts';
import { jsonOf } from '../replies.ts';
import type { AlipayOptions } from './options.ts';
import { sdksOf } from './sdk.ts';

const timeoutMs = 12_000;
// Some 500,000 lines of a bill, compressed.
const fileBytesMax = 64 * 1024 * 1024;

/**
 * `refused` is a final refusal signed by Alipay. Every unverifiable answer is `unknown`, because the
 * request may have been processed.
 */
type Reply =
  | { outcome: 'ok'; value: unknown }
  | { outcome: 'refused'; code: string }
  | { outcome: 'unknown'; cause: string };

export interface Client {
  ask(method: string, content: object, more?: Record<string, string>): Promise<Reply>;
  /** A signed URL for the payer's browser, made without a call to Alipay. */
  addressOf(method: string, content: object, more: Record<string, string>): string;
  download(url: string): Promise<Uint8Array | undefined>;
}

export function openClient(options: AlipayOptions): Client {
  const sdks = sdksOf(options);
  const [sdk] = sdks;
  // The SDK would send local time; Alipay expects Beijing time.
  const timed = () => ({ timestamp: beijingTime(new Date()) });
  return {
    ask: async (method, content, more = {}) => {
      const signed = sdk.sdkExecute(
        method,
        { ...timed(), ...more, bizContent: content },
        { bizContentAutoSnakeCase: false },
      );
      // Like the SDK's own call: the content in the body, everything else in the URL.
      const fields = new URLSearchParams(signed);
      const body = new URLSearchParams({ biz_content: fields.get('biz_content') ?? '' });
      fields.delete('biz_content');
      try {
        const reply = await callOut({
          url: `${sdk.config.gateway}?${fields}`,
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
          body: String(body),
          timeoutMs,
        });
        if (reply.status !== 200) return unknown(`HTTP ${reply.status}`);
        return readReply(sdks, method, new TextDecoder().decode(reply.body));
      } catch (error) {
        if (error instanceof OutboundFailure) return unknown(`${method}: ${reasonOf(error)}`);
        throw error;
      }
    },
    addressOf: (method, content, more) =>
      sdk.pageExecute(method, 'GET', { ...timed(), ...more, bizContent: content }),
    download: async (url) => {
      const request = { url, method: 'GET', headers: {}, timeoutMs } as const;
      try {
        const reply = await callOut({ ...request, replyBytesMax: fileBytesMax });
        return reply.status === 200 ? reply.body : undefined;
      } catch (error) {
        if (error instanceof OutboundFailure) return undefined;
        throw error;
      }
    },
  };
}

/** Alipay does not know the key or the application, or does not permit it the call. */
export function isKeyRefusal(code: string): boolean {
  return /^isv\.(missing-signature|invalid-signature|missing-app-id|invalid-app-id|insufficient-isv-permissions)/.test(
    code,
  );
}

/** The message without the URL, because the URL contains the signed request. */
function reasonOf({ cause }: OutboundFailure): string {
  return cause instanceof Error ? cause.message : 'no answer';
}

const Outcome = z.object({ code: z.string(), sub_code: z.string().optional() });

/** Temporary errors of Alipay; a retry may have another outcome. */
const undecided = /SYSTEM_ERROR|unknow-error|CALL_LIMITED|app-call-limited/i;

/** Parses only the signed part of a reply. */
function readReply(sdks: readonly AlipaySdk[], method: string, text: string): Reply {
  const name = `${method.replaceAll('.', '_')}_response`;
  const sign = SignedReply.safeParse(jsonOf(text));
  if (!sign.success) return unknown('an answer that nobody signed');
  if (!sdks.some((sdk) => isSigned(sdk, { text, name, sign: sign.data.sign }))) {
    return unknown('an answer with a wrong signature');
  }
  const [sdk] = sdks;
  const value = jsonOf(sdk?.getSignStr(text, name) ?? '');
  const outcome = Outcome.safeParse(value);
  if (!outcome.success) return unknown('an answer without a code');
  const { code, sub_code } = outcome.data;
  if (code === '10000') return { outcome: 'ok', value };
  // 40001 to 40006 are refusals; 10003 and 20000 are not.
  if (/^4000[1-6]$/.test(code) && sub_code !== undefined && !undecided.test(sub_code)) {
    return { outcome: 'refused', code: sub_code };
  }
  return unknown(`${code} ${sub_code ?? ''}`);
}

const SignedReply = z.object({ sign: z.string().min(1) });

function isSigned(
  sdk: AlipaySdk,
  { text, name, sign }: { text: string; name: string; sign: string },
): boolean {
  // Otherwise the SDK would look for the signed text anywhere in the reply.
  if (!text.startsWith(`{"${name}":`)) return false;
  try {
    sdk.checkResponseSign(text, name, sign, '');
    return true;
  } catch {
    return false;
  }
}

function unknown(cause: string): Reply {
  return { outcome: 'unknown', cause };
}
