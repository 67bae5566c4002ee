import { displayYuan } from '../platform/beijing.ts';
import { html } from '../platform/html.ts';
import {
  type Brand,
  checkout,
  declinedNotice,
  itemLine,
  merchantAt,
  moreOutcomes,
  noticePage,
  overWords,
  paidWords,
  payPage,
  scanPage,
  wayToGo,
} from '../platform/pay-page.ts';
import type { OrderRow } from './rows.ts';
import { wireTime } from './times.ts';

const brand: Brand = {
  name: 'Sandbox WeChat Pay',
  means: 'wallet',
  style: `
:root { --accent: #067a3f; --accent-dark: #056334; }
details .late { padding: 0 16px 16px; }
.card { background: linear-gradient(135deg, #07a455, #056334); }
`,
};

/** The address the payer is redirected to after the cashier; `null` stays on the page. */
export type Back = string | null;

/** The page on which the payer pays, declines or leaves, in place of WeChat's own sheet. */
export function decidePage(
  order: OrderRow,
  input: { back: Back; isDeclined: boolean; isBridge: boolean },
): string {
  const { back, isBridge } = input;
  const total = displayYuan(order.total);
  const action = (name: string) => actionOf(order, { name, back, isBridge });
  const until = wireTime(order.time_expire);
  return payPage(brand, {
    title: `Pay ${total}`,
    content: checkout({
      back: null,
      merchant: merchantAt(order.notify_url),
      total,
      items: [itemLine(order.description, total)],
      ways: html`<h1>Pay with WeChat</h1>
  ${input.isDeclined && declinedNotice('payment')}
  <div class="card"><span class="number">Balance</span><span class="holder">Test wallet</span><span class="expiry">${ways[order.scene]}</span></div>
  ${wayToGo(action('pay'), `Pay ${total}`, { isPrimary: true })}
  ${wayToGo(action('decline'), 'Decline this payment')}
  ${wayToGo(action('leave'), 'Cancel and go back')}
  ${moreOutcomes([
    wayToGo(action('pay-and-stay'), 'Pay but never return', {
      words: 'The money moves, the browser stays here. Only the notification tells the shop.',
    }),
    html`<p class="late">Wait here until the time is over and pay then: whoever came in time may finish, as long as the shop has not closed the order.</p>`,
  ])}
  <p class="fine">To be begun until <time datetime="${until}">${until.replace('T', ' ').slice(0, 16)} in Beijing</time></p>`,
    }),
  });
}

export function codePage(input: { isUnknown: boolean }): string {
  return scanPage(brand, {
    begin: 'weixin://wxpay/bizpayurl',
    example: 'weixin://wxpay/bizpayurl?pr=…',
    complaint: input.isUnknown ? 'This code is not known or too old.' : null,
  });
}

export function paidPage(order: OrderRow, back: Back): string {
  const [total, merchant] = [displayYuan(order.total), merchantAt(order.notify_url)];
  return noticePage(brand, {
    tone: 'good',
    title: 'Paid',
    words: paidWords({ total, merchant }),
    back,
  });
}

export function overPage(input: { back: Back; why: 'closed' | 'expired' | 'unknown' }): string {
  const titles = {
    closed: 'This order is closed',
    expired: 'The time for this order is over',
    unknown: 'This link is not known or too old',
  };
  const { back, why } = input;
  return noticePage(brand, { tone: 'bad', title: titles[why], words: overWords, back });
}

/** The last page of the bridge's window: posts the outcome to its opener and closes. */
export function bridgePage(result: 'ok' | 'cancel' | 'fail'): string {
  return payPage(brand, {
    title: 'WeChat',
    content: html`<main class="notice"><p data-result="${result}">You can close this window.</p></main>
<script src="/__sandbox/weixin-done.js"></script>`,
  });
}

const ways = { jsapi: 'in WeChat', h5: 'from a browser', native: 'by code' } as const;

function actionOf(
  order: OrderRow,
  { name, back, isBridge }: { name: string; back: Back; isBridge: boolean },
): string {
  const query = new URLSearchParams();
  if (back !== null) query.set('back', back);
  if (isBridge) query.set('bridge', '1');
  return `/cashier/${order.prepay_id}/${name}?${query}`;
}
