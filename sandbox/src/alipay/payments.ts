import { object, optional, text } from '../platform/shape.ts';
import { recordTradeEvent } from './events.ts';
import { refused } from './failure.ts';
import { newCode, newToken, newTradeNo } from './ids.ts';
import type { OrderInput } from './payment-params.ts';
import type { Provider } from './provider.ts';
import { type OrderRow, orderRow } from './rows.ts';

const dueMax = 500;

/**
 * Creates the order of this number, or answers the existing one. A number reused with other
 * parameters is refused, and so is the number of a paid or closed order.
 */
export function placeOrder(provider: Provider, input: OrderInput): OrderRow {
  const order = findOrder(provider, input.outTradeNo) ?? insert(provider, input);
  if (order.asked !== input.asked) throw refused('ACQ.CONTEXT_INCONSISTENT', '交易信息被篡改');
  if (order.state === 'TRADE_SUCCESS') throw refused('ACQ.TRADE_HAS_SUCCESS', '交易已被支付');
  if (order.state === 'TRADE_CLOSED') throw refused('ACQ.TRADE_HAS_CLOSE', '交易已经关闭');
  return order;
}

export function codeUrlOf(order: OrderRow): string {
  return `https://qr.alipay.com/${order.code}`;
}

export function findOrder({ db }: Provider, outTradeNo: string): OrderRow | undefined {
  return db.one(orderRow, 'select * from orders where out_trade_no = ?', outTradeNo);
}

export function findByToken({ db }: Provider, token: string): OrderRow | undefined {
  return db.one(orderRow, 'select * from orders where token = ?', token);
}

export function findByCode({ db }: Provider, codeUrl: string): OrderRow | undefined {
  const code = codeUrl.replace(/^https:\/\/qr\.alipay\.com\//, '');
  return db.one(orderRow, 'select * from orders where code = ?', code);
}

const tradeReader = object({
  out_trade_no: optional(text),
  trade_no: optional(text),
  operator_id: optional(text),
  query_options: optional((value: unknown) => value),
});

/**
 * Finds a trade by order number or trade number; there is none before the payer opens the cashier.
 */
export function getTrade(provider: Provider, content: unknown): OrderRow {
  const sent = tradeReader(content, 'biz_content');
  return tradeOf(provider, sent);
}

export function tradeOf(
  provider: Provider,
  sent: { trade_no?: string | undefined; out_trade_no?: string | undefined },
): OrderRow {
  closeDueTrades(provider);
  const { trade_no = '', out_trade_no = '' } = sent;
  if (trade_no === '' && out_trade_no === '') {
    throw refused('ACQ.INVALID_PARAMETER', '参数无效');
  }
  const order =
    trade_no === ''
      ? findOrder(provider, out_trade_no)
      : provider.db.one(orderRow, 'select * from orders where trade_no = ?', trade_no);
  if (order === undefined || order.opened === null) {
    throw refused('ACQ.TRADE_NOT_EXIST', '交易不存在');
  }
  return order;
}

/** Closes an unpaid trade. */
export function closeTrade(provider: Provider, content: unknown): OrderRow {
  const order = getTrade(provider, content);
  if (order.state !== 'WAIT_BUYER_PAY') {
    throw refused('ACQ.REASON_TRADE_STATUS_INVALID', '交易状态不合法');
  }
  close(provider, order);
  return order;
}

/** Closes expired trades. */
export function closeDueTrades(provider: Provider): void {
  const due = provider.db.all(
    orderRow,
    `select * from orders
     where state = 'WAIT_BUYER_PAY' and opened is not null and time_expire <= ? limit ${dueMax}`,
    provider.clock.nowSeconds(),
  );
  if (due.length === 0) return;
  provider.db.transaction(() => {
    for (const order of due) close(provider, order);
  });
}

function close(provider: Provider, order: OrderRow): void {
  const { out_trade_no } = order;
  provider.db.run("update orders set state = 'TRADE_CLOSED' where out_trade_no = ?", out_trade_no);
  recordTradeEvent(provider, { order: { ...order, state: 'TRADE_CLOSED' }, charge: undefined });
}

function insert(provider: Provider, input: OrderInput): OrderRow {
  const created = provider.clock.nowSeconds();
  if (input.timeExpire <= created) throw refused('ACQ.INVALID_PARAMETER', '交易超时时间无效');
  const order: OrderRow = {
    out_trade_no: input.outTradeNo,
    created,
    scene: input.scene,
    asked: input.asked,
    subject: input.subject,
    passback: input.passback,
    notify_url: input.notifyUrl,
    return_url: input.returnUrl,
    quit_url: input.quitUrl,
    total: input.total,
    time_expire: input.timeExpire,
    trade_no: newTradeNo(created),
    token: newToken(),
    code: input.scene === 'qr' ? newCode() : null,
    opened: null,
    state: 'WAIT_BUYER_PAY',
    payment_id: paymentIdIn(input.passback),
  };
  provider.db.insert('orders', order);
  return order;
}

/** The payment id inside the merchant's own field, whose format the sandbox knows. */
function paymentIdIn(passback: string | null): string | null {
  return /^[0-9a-f-]{36}\.([0-9a-f-]{36})\.[0-9a-f-]{36}$/.exec(passback ?? '')?.[1] ?? null;
}
