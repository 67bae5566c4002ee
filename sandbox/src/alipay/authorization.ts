import { isSigned } from '../platform/rsa.ts';
import { invalid } from './failure.ts';
import type { Provider } from './provider.ts';
import { signedText } from './signature.ts';
import { secondsOf } from './times.ts';

export type Fields = Readonly<Record<string, string>>;

/** Merges the fields of the query string and the body. */
export function fieldsOf(url: string, body: string): Fields {
  const query = new URLSearchParams(url.split('?', 2)[1] ?? '');
  return Object.fromEntries([...query, ...new URLSearchParams(body)]);
}

/** Throws the provider's error unless the request is well formed and signed by the merchant. */
export function verifyRequest({ settings }: Provider, fields: Fields): void {
  if (fields.app_id !== settings.appId) throw invalid('isv.invalid-app-id', '无效的AppID参数');
  if (fields.sign_type !== 'RSA2') throw invalid('isv.invalid-signature-type', '无效的签名类型');
  if (fields.charset?.toLowerCase() !== 'utf-8') throw invalid('isv.invalid-charset', '字符集错误');
  if (fields.version !== '1.0') throw invalid('isv.invalid-version', '版本参数无效');
  if (secondsOf(fields.timestamp ?? '') === undefined) {
    throw invalid('isv.invalid-timestamp', '非法的时间戳参数');
  }
  const message = signedText(fields, ['sign']);
  const isGenuine = isSigned({ message, signature: fields.sign ?? '', key: settings.merchantKey });
  if (!isGenuine)
    throw invalid('isv.invalid-signature', `验签出错，网关生成的验签字符串为：${message}`);
}

export function contentIn(fields: Fields): unknown {
  try {
    return JSON.parse(fields.biz_content ?? '');
  } catch {
    throw invalid('isv.invalid-parameter', 'biz_content');
  }
}
