import { refused } from './failure.ts';
import { newPrepayId, randomText } from './ids.ts';
import type { WireObject } from './objects.ts';
import { checkExpiry, type OrderInput } from './payment-params.ts';
import type { Provider } from './provider.ts';
import { type OrderRow, orderRow } from './rows.ts';

/** The lifetime of a link to the H5 cashier. */
const h5LinkSeconds = 5 * 60;
/** The lifetime of a prepay id and of a Native code. */
export const prepaySeconds = 2 * 3600;

/**
 * Opens an order. A repeated order number with the same parameters answers the existing order; an
 * H5 order gets a new link, because the first one may have expired.
 */
export function placeOrder(provider: Provider, input: OrderInput): WireObject {
  const earlier = findOrder(provider, input.outTradeNo);
  const order = earlier ?? openOrder(provider, input);
  if (order.asked !== input.asked) throw refused('INVALID_REQUEST', '201 商户订单号重复');
  if (order.state === 'SUCCESS') throw refused('ORDERPAID', '该订单已支付');
  if (order.state === 'CLOSED') throw refused('ORDER_CLOSED', '该订单已关闭');
  if (order.time_expire <= provider.clock.nowSeconds()) {
    throw refused('INVALID_REQUEST', '该订单已过期');
  }
  switch (order.scene) {
    case 'jsapi':
      return { prepay_id: order.prepay_id };
    case 'native':
      return { code_url: codeUrlOf(order) };
    case 'h5':
      return { h5_url: newH5Link(provider, order) };
  }
}

export function findOrder(provider: Provider, outTradeNo: string): OrderRow | undefined {
  return provider.db.one(orderRow, 'select * from orders where out_trade_no = ?', outTradeNo);
}

export function findByPrepayId(provider: Provider, prepayId: string): OrderRow | undefined {
  return provider.db.one(orderRow, 'select * from orders where prepay_id = ?', prepayId);
}

export function findByCode(provider: Provider, codeUrl: string): OrderRow | undefined {
  const code = codeUrl.replace(/^weixin:\/\/wxpay\/bizpayurl\?pr=/, '');
  return provider.db.one(orderRow, 'select * from orders where code = ?', code);
}

/** The order of a link to the H5 cashier, unless the link has expired. */
export function findByH5Link(
  provider: Provider,
  link: { prepayId: string; package: string },
): OrderRow | undefined {
  return provider.db.one(
    orderRow,
    `select o.* from orders o join h5_links l on l.out_trade_no = o.out_trade_no
     where l.package = ? and o.prepay_id = ? and l.created > ?`,
    link.package,
    link.prepayId,
    provider.clock.nowSeconds() - h5LinkSeconds,
  );
}

export function getOrder(provider: Provider, outTradeNo: string): OrderRow {
  const order = findOrder(provider, outTradeNo);
  if (order === undefined) throw refused('ORDER_NOT_EXIST', '订单不存在', 404);
  return order;
}

/** Closes an unpaid order; closing it again changes nothing. */
export function closeOrder(provider: Provider, outTradeNo: string): void {
  const order = getOrder(provider, outTradeNo);
  if (order.state === 'SUCCESS') throw refused('ORDERPAID', '该订单已支付');
  provider.db.run("update orders set state = 'CLOSED' where out_trade_no = ?", outTradeNo);
}

export function codeUrlOf(order: OrderRow): string {
  return `weixin://wxpay/bizpayurl?pr=${order.code}`;
}

function openOrder(provider: Provider, input: OrderInput): OrderRow {
  checkExpiry(provider, input);
  const created = provider.clock.nowSeconds();
  const order: OrderRow = {
    out_trade_no: input.outTradeNo,
    created,
    scene: input.scene,
    asked: input.asked,
    appid: input.appid,
    description: input.description,
    attach: input.attach,
    notify_url: input.notifyUrl,
    openid: input.openid,
    total: input.total,
    currency: input.currency,
    time_expire: input.timeExpire,
    prepay_id: newPrepayId(created),
    code: input.scene === 'native' ? randomText(9) : null,
    opened: null,
    state: 'NOTPAY',
    payment_id: paymentIdIn(input.attach),
  };
  provider.db.insert('orders', order);
  return order;
}

function newH5Link(provider: Provider, order: OrderRow): string {
  const made = randomText(10);
  provider.db.run(
    'insert into h5_links (package, created, out_trade_no) values (?, ?, ?)',
    made,
    provider.clock.nowSeconds(),
    order.out_trade_no,
  );
  const url = new URL('/cgi-bin/mmpayweb-bin/checkmweb', provider.publicUrl());
  url.searchParams.set('prepay_id', order.prepay_id);
  url.searchParams.set('package', made);
  return url.href;
}

/** The payment id inside the merchant's own field, whose format the sandbox knows. */
function paymentIdIn(attach: string | null): string | null {
  return /^[0-9a-f-]{36}\.([0-9a-f-]{36})\.[0-9a-f-]{36}$/.exec(attach ?? '')?.[1] ?? null;
}
