import type { AlipaySdk } from 'alipay-sdk';
import { z } from 'zod';
import { callOut, OutboundFailure } from '../../../platform/outbound.ts';
import type { AlipayOptions } from './options.ts';
import { beijingTime, sdksOf } from './sdk.ts';

const timeoutMs = 12_000;
// Some 500,000 lines of a bill, packed.
const fileBytesMax = 64 * 1024 * 1024;

/**
 * `refused` was spelled out and signed by Alipay itself. All that cannot be verified is `unknown`: it
 * may have happened.
 */
type Reply =
  | { outcome: 'ok'; value: unknown }
  | { outcome: 'refused'; code: string }
  | { outcome: 'unknown'; cause: string };

export interface Client {
  ask(method: string, content: object, more?: Record<string, string>): Promise<Reply>;
  /** A signed address for the payer's browser. Nobody is asked anything. */
  addressOf(method: string, content: object, more: Record<string, string>): string;
  download(url: string): Promise<Uint8Array | undefined>;
}

export function openClient(options: AlipayOptions): Client {
  const sdks = sdksOf(options);
  const [sdk] = sdks;
  // The SDK would say what time it is here; Alipay wants to hear what time it is in Beijing.
  const timed = () => ({ timestamp: beijingTime(new Date()) });
  return {
    ask: async (method, content, more = {}) => {
      const signed = sdk.sdkExecute(
        method,
        { ...timed(), ...more, bizContent: content },
        { bizContentAutoSnakeCase: false },
      );
      // As the SDK's own call does: the content in the body, all else in the address.
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

/** Our key or our application is not one that Alipay knows, or may not do what was asked. */
export function isKeyRefusal(code: string): boolean {
  return /^isv\.(missing-signature|invalid-signature|missing-app-id|invalid-app-id|insufficient-isv-permissions)/.test(
    code,
  );
}

/** Without the address, which has all that was signed in it. */
function reasonOf({ cause }: OutboundFailure): string {
  return cause instanceof Error ? cause.message : 'no answer';
}

const Outcome = z.object({ code: z.string(), sub_code: z.string().optional() });

/** What Alipay says when it does not know itself: the same question again may have another answer. */
const undecided = /SYSTEM_ERROR|unknow-error|CALL_LIMITED|app-call-limited/i;

/** Reads exactly the letters that were signed, and nothing that stands beside them. */
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
  // Without the name of the call the SDK would take the letters from anywhere.
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

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
