import { yuan } from '../platform/beijing.ts';
import { type Html, html, trusted } from '../platform/html.ts';
import { payPageStyle } from '../platform/pay-page-style.ts';
import type { OrderRow } from './rows.ts';
import { wireTime } from './times.ts';

/** The page on which the payer decides. */
export function cashierPage(order: OrderRow, input: { isDeclined: boolean }): string {
  const total = displayYuan(order.total);
  const action = (name: string) => `/cashier/${order.token}/${name}`;
  return layout({
    title: `Pay ${total}`,
    content: html`<main class="checkout">
<section class="summary" aria-label="Your order">
  <p class="merchant">Payment to ${merchantOf(order)}</p>
  <p class="total">${total}</p>
  <ul class="items"><li><span class="name">${order.subject}</span><span class="amount">${total}</span></li></ul>
  <p class="sum"><span>Total due</span><strong>${total}</strong></p>
</section>
<section class="pay" aria-label="Payment">
  <h1>Pay with Alipay</h1>
  ${input.isDeclined && declinedNotice}
  <div class="card"><span class="number">Balance</span><span class="holder">Test account</span><span class="expiry">${ways[order.scene]}</span></div>
  <form method="post" action="${action('pay')}"><button class="primary">Pay ${total}</button></form>
  <form method="post" action="${action('decline')}"><button>Decline this payment</button></form>
  <form method="post" action="${action('leave')}"><button>Cancel and go back</button></form>
  <details>
    <summary>More outcomes</summary>
    <form method="post" action="${action('pay-and-stay')}">
      <button>Pay but never return</button>
      <p>The money moves, the browser stays here. Only the notification tells the shop.</p>
    </form>
    <form method="post" action="${action('pay-late')}">
      <button>Pay after the end</button>
      <p>The money moves although the time is over or the shop has closed the order.</p>
    </form>
  </details>
  <p class="fine">Open until <time datetime="${wireTime(order.time_expire).replace(' ', 'T')}+08:00">${wireTime(order.time_expire).slice(0, 16)} in Beijing</time></p>
</section>
</main>`,
  });
}

/** Where a phone would point its camera: takes what a QR code says. */
export function scanPage(input: { isUnknown: boolean }): string {
  return layout({
    title: 'Scan a code',
    content: html`<main class="notice">
<span class="mark good" aria-hidden="true">¥</span>
<h1>Scan a payment code</h1>
<p>Paste what the QR code says. It begins with https://qr.alipay.com/.</p>
${input.isUnknown && html`<p class="alert" role="alert"><strong>This code is not known.</strong></p>`}
<form method="get" action="/scan"><label class="hidden" for="code">Code</label>
<input id="code" name="code" required autocomplete="off" placeholder="https://qr.alipay.com/…">
<button class="primary">Scan</button></form>
</main>`,
  });
}

export function paidPage(order: OrderRow, back: string | null): string {
  return notice({
    tone: 'good',
    title: 'Paid',
    words: `${displayYuan(order.total)} has been paid to ${merchantOf(order)}. You can close this page.`,
    back,
  });
}

export function overPage(input: { back: string | null; why: 'closed' | 'expired' | 'unknown' }) {
  const titles = {
    closed: 'This order is closed',
    expired: 'The time for this order is over',
    unknown: 'This order is not known',
  };
  return notice({
    tone: 'bad',
    title: titles[input.why],
    words: 'Nothing was charged. Go back to the shop and start again.',
    back: input.back,
  });
}

/** What the gateway shows instead of a cashier when it refuses. */
export function errorPage(code: string): string {
  return notice({
    tone: 'bad',
    title: 'This payment cannot be opened',
    words: `The gateway refused it: ${code}.`,
    back: null,
  });
}

export function displayYuan(fen: number): string {
  return `¥${yuan(fen)}`;
}

const ways = { page: 'on a computer', wap: 'on a phone', qr: 'by code' } as const;

const declinedNotice = html`<p class="alert" role="alert"><strong>Your payment was declined.</strong> Nothing was charged. You can try again.</p>`;

/** The provider knows its merchants by name; the sandbox knows where it sends the news. */
function merchantOf(order: OrderRow): string {
  return URL.parse(order.notify_url ?? '')?.host ?? 'the shop';
}

function notice(input: {
  tone: 'good' | 'bad';
  title: string;
  words: string;
  back: string | null;
}): string {
  const { tone, title, words, back } = input;
  return layout({
    title,
    content: html`<main class="notice">
<span class="mark ${tone}" aria-hidden="true">${tone === 'good' ? '✓' : '!'}</span>
<h1>${title}</h1><p>${words}</p>
${back !== null && html`<a class="button" href="${back}">Return to the shop</a>`}
</main>`,
  });
}

function layout(input: { title: string; content: Html }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${input.title} · Sandbox Alipay</title>
<style>${trusted(payPageStyle)}${trusted(style)}</style>
</head>
<body>
<header><span class="brand">Sandbox Alipay</span><span class="mode">Test mode</span><span class="why">No real account, no real money.</span></header>
${input.content}
</body>
</html>`.markup;
}

const style = `
:root { --accent: #1257c4; --accent-dark: #0e459d; }
.card { background: linear-gradient(135deg, #1677ff, #0e459d); }
.good { background: #dceaff; }
.notice input { width: 100%; min-height: 48px; margin: 16px 0 12px; padding: 10px 14px; border: 1px solid #b9c2cf;
  border-radius: 10px; font: inherit; }
`;
