import { yuan } from '../platform/beijing.ts';
import { type Html, html, trusted } from '../platform/html.ts';
import { payPageStyle } from '../platform/pay-page-style.ts';
import type { OrderRow } from './rows.ts';
import { wireTime } from './times.ts';

/** Where the payer goes after the cashier, if anywhere; `null` stays. */
export type Back = string | null;

/** The page on which the payer decides, as WeChat's own sheet would ask. */
export function cashierPage(
  order: OrderRow,
  input: { back: Back; isDeclined: boolean; isBridge: boolean },
): string {
  const { back, isBridge } = input;
  const total = displayYuan(order.total);
  const action = (name: string) => actionOf(order, { name, back, isBridge });
  return layout({
    title: `Pay ${total}`,
    content: html`<main class="checkout">
<section class="summary" aria-label="Your order">
  <p class="merchant">Payment to ${merchantOf(order)}</p>
  <p class="total">${total}</p>
  <ul class="items"><li><span class="name">${order.description}</span><span class="amount">${total}</span></li></ul>
  <p class="sum"><span>Total due</span><strong>${total}</strong></p>
</section>
<section class="pay" aria-label="Payment">
  <h1>Pay with WeChat</h1>
  ${input.isDeclined && declinedNotice}
  <div class="card"><span class="number">Balance</span><span class="holder">Test wallet</span><span class="expiry">${ways[order.scene]}</span></div>
  <form method="post" action="${action('pay')}"><button class="primary">Pay ${total}</button></form>
  <form method="post" action="${action('decline')}"><button>Decline this payment</button></form>
  <form method="post" action="${action('leave')}"><button>Cancel and go back</button></form>
  <details>
    <summary>More outcomes</summary>
    <form method="post" action="${action('pay-and-stay')}">
      <button>Pay but never return</button>
      <p>The money moves, the browser stays here. Only the notification tells the shop.</p>
    </form>
    <p class="late">Wait here until the time is over and pay then: whoever came in time may finish, as long as the shop has not closed the order.</p>
  </details>
  <p class="fine">To be begun until <time datetime="${wireTime(order.time_expire)}">${wireTime(order.time_expire).replace('T', ' ').slice(0, 16)} in Beijing</time></p>
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
<p>Paste what the QR code says. It begins with weixin://wxpay/bizpayurl.</p>
${input.isUnknown && html`<p class="alert" role="alert"><strong>This code is not known or too old.</strong></p>`}
<form method="get" action="/scan"><label class="hidden" for="code">Code</label>
<input id="code" name="code" required autocomplete="off" placeholder="weixin://wxpay/bizpayurl?pr=…">
<button class="primary">Scan</button></form>
</main>`,
  });
}

export function paidPage(order: OrderRow, back: Back): string {
  return notice({
    tone: 'good',
    title: 'Paid',
    words: `${displayYuan(order.total)} has been paid to ${merchantOf(order)}. You can close this page.`,
    back,
  });
}

export function overPage(input: { back: Back; why: 'closed' | 'expired' | 'unknown' }): string {
  const titles = {
    closed: 'This order is closed',
    expired: 'The time for this order is over',
    unknown: 'This link is not known or too old',
  };
  return notice({
    tone: 'bad',
    title: titles[input.why],
    words: 'Nothing was charged. Go back to the shop and start again.',
    back: input.back,
  });
}

/** The last page of a bridge's window: tells the page that asked, and goes away. */
export function bridgePage(result: 'ok' | 'cancel' | 'fail'): string {
  return layout({
    title: 'WeChat',
    content: html`<main class="notice"><p data-result="${result}">You can close this window.</p></main>
<script src="/__sandbox/weixin-done.js"></script>`,
  });
}

export function displayYuan(fen: number): string {
  return `¥${yuan(fen)}`;
}

const ways = { jsapi: 'in WeChat', h5: 'from a browser', native: 'by code' } as const;

const declinedNotice = html`<p class="alert" role="alert"><strong>Your payment was declined.</strong> Nothing was charged. You can try again.</p>`;

function actionOf(
  order: OrderRow,
  { name, back, isBridge }: { name: string; back: Back; isBridge: boolean },
): string {
  const query = new URLSearchParams();
  if (back !== null) query.set('back', back);
  if (isBridge) query.set('bridge', '1');
  return `/cashier/${order.prepay_id}/${name}?${query}`;
}

/** The provider knows its merchants by name; the sandbox knows where it sends the news. */
function merchantOf(order: OrderRow): string {
  return URL.parse(order.notify_url)?.host ?? 'the shop';
}

function notice(input: { tone: 'good' | 'bad'; title: string; words: string; back: Back }): string {
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
<title>${input.title} · Sandbox WeChat Pay</title>
<style>${trusted(payPageStyle)}${trusted(style)}</style>
</head>
<body>
<header><span class="brand">Sandbox WeChat Pay</span><span class="mode">Test mode</span><span class="why">No real wallet, no real money.</span></header>
${input.content}
</body>
</html>`.markup;
}

const style = `
:root { --accent: #067a3f; --accent-dark: #056334; }
details .late { padding: 0 16px 16px; }
.card { background: linear-gradient(135deg, #07a455, #056334); }
.notice input { width: 100%; min-height: 48px; margin: 16px 0 12px; padding: 10px 14px; border: 1px solid #b9c2cf;
  border-radius: 10px; font: inherit; }
`;
