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
  name: 'Sandbox Alipay',
  means: 'account',
  style: `
:root { --accent: #1257c4; --accent-dark: #0e459d; }
.card { background: linear-gradient(135deg, #1677ff, #0e459d); }
.good { background: #dceaff; }
`,
};

/** The page on which the payer pays, declines or leaves. */
export function decidePage(order: OrderRow, input: { isDeclined: boolean }): string {
  const total = displayYuan(order.total);
  const action = (name: string) => `/cashier/${order.token}/${name}`;
  const until = wireTime(order.time_expire);
  return payPage(brand, {
    title: `Pay ${total}`,
    content: checkout({
      back: null,
      merchant: merchantAt(order.notify_url),
      total,
      items: [itemLine(order.subject, total)],
      ways: html`<h1>Pay with Alipay</h1>
  ${input.isDeclined && declinedNotice('payment')}
  <div class="card"><span class="number">Balance</span><span class="holder">Test account</span><span class="expiry">${ways[order.scene]}</span></div>
  ${wayToGo(action('pay'), `Pay ${total}`, { isPrimary: true })}
  ${wayToGo(action('decline'), 'Decline this payment')}
  ${wayToGo(action('leave'), 'Cancel and go back')}
  ${moreOutcomes([
    wayToGo(action('pay-and-stay'), 'Pay but never return', {
      words: 'The money moves, the browser stays here. Only the notification tells the shop.',
    }),
    wayToGo(action('pay-late'), 'Pay after the end', {
      words: 'The money moves although the time is over or the shop has closed the order.',
    }),
  ])}
  <p class="fine">Open until <time datetime="${until.replace(' ', 'T')}+08:00">${until.slice(0, 16)} in Beijing</time></p>`,
    }),
  });
}

export function codePage(input: { isUnknown: boolean }): string {
  return scanPage(brand, {
    begin: 'https://qr.alipay.com/',
    example: 'https://qr.alipay.com/…',
    complaint: input.isUnknown ? 'This code is not known.' : null,
  });
}

export function paidPage(order: OrderRow, back: string | null): string {
  const [total, merchant] = [displayYuan(order.total), merchantAt(order.notify_url)];
  return noticePage(brand, {
    tone: 'good',
    title: 'Paid',
    words: paidWords({ total, merchant }),
    back,
  });
}

export function overPage(input: { back: string | null; why: 'closed' | 'expired' | 'unknown' }) {
  const titles = {
    closed: 'This order is closed',
    expired: 'The time for this order is over',
    unknown: 'This order is not known',
  };
  const { back, why } = input;
  return noticePage(brand, { tone: 'bad', title: titles[why], words: overWords, back });
}

/** The error page that the gateway shows in place of the cashier. */
export function errorPage(code: string): string {
  return noticePage(brand, {
    tone: 'bad',
    title: 'This payment cannot be opened',
    words: `The gateway refused it: ${code}.`,
    back: null,
  });
}

const ways = { page: 'on a computer', wap: 'on a phone', qr: 'by code' } as const;
