import {
  atLeast,
  flag,
  isRecord,
  listOf,
  name,
  object,
  oneOf,
  optional,
  type Reader,
  ShapeError,
  text,
} from '../platform/shape.ts';
import { invalid, refused } from './failure.ts';
import type { Provider } from './provider.ts';
import type { Scene } from './rows.ts';

const daySeconds = 24 * 3600;
const expiry = { least: 60, usual: 7 * daySeconds, most: 15 * daySeconds };
/** The provider's maximum for one payment; the limit of the merchant is lower. */
const totalMax = 100_000_000;

const matching =
  (pattern: RegExp): Reader<string> =>
  (value, at) => {
    const found = text(value, at);
    if (!pattern.test(found)) throw new ShapeError(`${at} does not match ${pattern}`);
    return found;
  };

const upTo =
  (length: number): Reader<string> =>
  (value, at) => {
    const found = text(value, at);
    if (found === '' || found.length > length) throw new ShapeError(`${at} is empty or too long`);
    return found;
  };

/** The notify_url. Only loopback may omit TLS, and a query string is not allowed. */
export const notifyUrl: Reader<string> = (value, at) => {
  const found = upTo(255)(value, at);
  const url = URL.parse(found);
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isHttp || url.search !== '' || url.hash !== '') {
    throw new ShapeError(`${at} is no plain address`);
  }
  return found;
};

const clientIp = matching(/^[0-9a-fA-F.:]{2,45}$/);

const common = {
  appid: name,
  mchid: name,
  description: upTo(127),
  out_trade_no: matching(/^[0-9A-Za-z_\-|*]{6,32}$/),
  time_expire: optional(matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)),
  attach: optional(upTo(128)),
  notify_url: notifyUrl,
  goods_tag: optional(upTo(32)),
  support_fapiao: optional(flag),
  amount: object({ total: atLeast(1), currency: optional(oneOf(['CNY'])) }),
  detail: optional(
    object({ goods_detail: optional(listOf((value: unknown) => value)) }) as Reader<object>,
  ),
  settle_info: optional(object({ profit_sharing: optional(flag) })),
};

const scene = {
  payer_client_ip: clientIp,
  device_id: optional(upTo(32)),
};

const readers = {
  jsapi: object({
    ...common,
    payer: object({ openid: matching(/^[\w-]{1,128}$/) }),
    scene_info: optional(object(scene)),
  }),
  native: object({ ...common, scene_info: optional(object(scene)) }),
  h5: object({
    ...common,
    scene_info: object({
      ...scene,
      h5_info: object({
        type: oneOf(['iOS', 'Android', 'Wap']),
        app_name: optional(upTo(64)),
        app_url: optional(upTo(128)),
      }),
    }),
  }),
};

export type OrderInput = {
  scene: Scene;
  outTradeNo: string;
  asked: string;
  appid: string;
  description: string;
  attach: string | null;
  notifyUrl: string;
  openid: string | null;
  total: number;
  currency: string;
  timeExpire: number;
};

/** Throws the provider's error when a parameter of the order is invalid. */
export function readOrder(provider: Provider, scene: Scene, body: unknown): OrderInput {
  const sent = readers[scene](body, '');
  const { settings, clock } = provider;
  if (sent.mchid !== settings.mchId) throw refused('MCH_NOT_EXISTS', '商户号不存在');
  if (!settings.appIds.includes(sent.appid)) {
    throw refused('APPID_MCHID_NOT_MATCH', 'appid和mchid不匹配');
  }
  if (sent.amount.total > totalMax) throw invalid('/amount/total', 'more than the limit');
  const timeExpire =
    sent.time_expire === undefined
      ? clock.nowSeconds() + expiry.usual
      : Math.floor(Date.parse(sent.time_expire) / 1000);
  return {
    scene,
    outTradeNo: sent.out_trade_no,
    asked: canonical({ scene, ...sent }),
    appid: sent.appid,
    description: sent.description,
    attach: sent.attach ?? null,
    notifyUrl: sent.notify_url,
    openid: scene === 'jsapi' ? readers.jsapi(body, '').payer.openid : null,
    total: sent.amount.total,
    currency: sent.amount.currency ?? 'CNY',
    timeExpire,
  };
}

/** The expiry is checked for new orders only: a repeated order was checked before. */
export function checkExpiry({ clock }: Provider, { timeExpire }: OrderInput): void {
  const left = timeExpire - clock.nowSeconds();
  // Part of the minimum of one minute may have passed in transit.
  if (!(left > 0 && left <= expiry.most)) throw refused('INVALID_REQUEST', '订单失效时间不合法');
}

/** The same text for the same values, regardless of their order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`)
    .join(',')}}`;
}
