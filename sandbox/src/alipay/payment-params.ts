import {
  listOf,
  name,
  object,
  oneOf,
  optional,
  type Reader,
  ShapeError,
  text,
} from '../platform/shape.ts';
import { invalid } from './failure.ts';
import type { Provider } from './provider.ts';
import type { OrderRow } from './rows.ts';
import { secondsOf } from './times.ts';

type Scene = OrderRow['scene'];

const daySeconds = 24 * 3600;
/** The default lifetime of an order. */
const usualSeconds = 15 * daySeconds;

const matching =
  (pattern: RegExp): Reader<string> =>
  (value, at) => {
    const found = text(value, at);
    if (!pattern.test(found)) throw new ShapeError(`${at} does not match ${pattern}`);
    return found;
  };

/** `4.99` is 499 fen; from 0.01 to 100 million yuan. */
export const fenOf: Reader<number> = (value, at) => {
  const found = matching(/^\d{1,9}(\.\d{1,2})?$/)(value, at);
  const [whole = '', part = ''] = found.split('.');
  const fen = Number(whole + part.padEnd(2, '0'));
  if (fen < 1 || fen > 10_000_000_000) throw new ShapeError(`${at} is out of range`);
  return fen;
};

const common = {
  out_trade_no: matching(/^\w{1,64}$/),
  total_amount: fenOf,
  // The provider refuses characters with a meaning in URLs.
  subject: matching(/^[^/=&]{1,256}$/),
  body: optional(matching(/^.{1,128}$/s)),
  time_expire: optional(matching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)),
  timeout_express: optional(matching(/^\d{1,5}[mhdc]$/)),
  passback_params: optional(matching(/^.{1,512}$/s)),
  goods_type: optional(oneOf(['0', '1'])),
  extend_params: optional((value: unknown) => value),
  query_options: optional(listOf(name)),
};

const readers = {
  page: object({
    ...common,
    product_code: oneOf(['FAST_INSTANT_TRADE_PAY']),
    qr_pay_mode: optional(name),
    integration_type: optional(name),
  }),
  wap: object({ ...common, product_code: oneOf(['QUICK_WAP_WAY']), quit_url: name }),
  qr: object({
    ...common,
    product_code: optional(oneOf(['FACE_TO_FACE_PAYMENT', 'QR_CODE_OFFLINE'])),
  }),
};

export type OrderInput = {
  scene: Scene;
  outTradeNo: string;
  asked: string;
  subject: string;
  passback: string | null;
  notifyUrl: string | null;
  returnUrl: string | null;
  quitUrl: string | null;
  total: number;
  timeExpire: number;
};

/** Throws the provider's error when a parameter of the order is invalid. */
export function readOrder(
  provider: Provider,
  input: { scene: Scene; content: unknown; fields: Readonly<Record<string, string>> },
): OrderInput {
  const { scene, content, fields } = input;
  const sent = readers[scene](content, 'biz_content');
  const timeExpire =
    sent.time_expire === undefined
      ? provider.clock.nowSeconds() + usualSeconds
      : secondsOf(sent.time_expire);
  if (timeExpire === undefined) throw invalid('isv.invalid-parameter', 'time_expire');
  return {
    scene,
    outTradeNo: sent.out_trade_no,
    // The parameters that must not differ when an order number is repeated.
    asked: [scene, sent.total_amount, sent.subject].join('\n'),
    subject: sent.subject,
    passback: sent.passback_params ?? null,
    notifyUrl: addressOf(fields.notify_url),
    returnUrl: addressOf(fields.return_url),
    quitUrl: scene === 'wap' ? addressOf(readers.wap(content, 'biz_content').quit_url) : null,
    total: sent.total_amount,
    timeExpire,
  };
}

/** Only http and https: a javascript URL would run in the payer's browser. */
function addressOf(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  const url = URL.parse(text);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!isWeb || text.length > 512) throw invalid('isv.invalid-parameter', 'address');
  return text;
}
