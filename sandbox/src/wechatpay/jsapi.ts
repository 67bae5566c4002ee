import { isSigned } from '../platform/rsa.ts';
import { name, object, oneOf, type ReadBy, text } from '../platform/shape.ts';
import { findByPrepayId, prepaySeconds } from './payments.ts';
import type { Provider } from './provider.ts';
import type { OrderRow } from './rows.ts';
import { lines } from './signature.ts';

/** The payment parameters that a page passes to the bridge inside WeChat. */
export const jsapiReader = object({
  appId: name,
  timeStamp: name,
  nonceStr: name,
  package: name,
  signType: oneOf(['RSA']),
  paySign: text,
});
export type JsapiParams = ReadBy<typeof jsapiReader>;

/** The order of these parameters, if the merchant has signed them. */
export function checkJsapi(
  provider: Provider,
  sent: JsapiParams,
): { outcome: 'ok'; order: OrderRow } | { outcome: 'bad_signature' | 'unknown' } {
  const { appId, timeStamp, nonceStr, package: pack, paySign: signature } = sent;
  const message = lines(appId, timeStamp, nonceStr, pack);
  const { key } = provider.settings.merchant;
  if (!isSigned({ message, signature, key })) return { outcome: 'bad_signature' };
  const prepayId = /^prepay_id=(\w+)$/.exec(pack)?.[1] ?? '';
  const order = findByPrepayId(provider, prepayId);
  const isGood =
    order?.scene === 'jsapi' &&
    order.appid === appId &&
    order.created + prepaySeconds > provider.clock.nowSeconds();
  return order !== undefined && isGood ? { outcome: 'ok', order } : { outcome: 'unknown' };
}
