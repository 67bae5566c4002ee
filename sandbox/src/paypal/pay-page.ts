import { type Html, html, trusted } from '../platform/html.ts';
import { payPageStyle } from '../platform/pay-page-style.ts';
import { displayAmount } from './money.ts';
import { returnUrlOf } from './orders.ts';
import type { OrderRow } from './rows.ts';

/** The page on which the payer decides. It needs no script and asks for nothing from elsewhere. */
export function decidePage(order: OrderRow): string {
  const total = displayAmount(order.amount, order.currency);
  return layout({
    title: `Pay ${total}`,
    locale: order.locale,
    content: html`<main class="checkout">
<section class="summary" aria-label="Your order">
  <a class="back" href="${cancelUrlOf(order)}"><span aria-hidden="true">←</span> Cancel and return to the shop</a>
  <p class="merchant">Payment to ${merchantOf(order)}</p>
  <p class="total">${total}</p>
  <ul class="items"><li><span><span class="name">${order.description ?? 'Your purchase'}</span></span>
<span class="amount">${total}</span></li></ul>
  <p class="sum"><span>Total</span><strong>${total}</strong></p>
</section>
<section class="pay" aria-label="Payment">
  <h1>Pay with your wallet</h1>
  <div class="card">
    <span class="chip" aria-hidden="true"></span>
    <span class="number">payer@example.com</span>
    <span class="holder">Test wallet</span><span class="expiry">Balance</span>
  </div>
  ${button(order, 'approve', html`<button class="primary">Agree and pay ${total}</button>`)}
  ${button(order, 'approve-declined', html`<button>Agree with a card that is declined</button>`)}
  <details>
    <summary>More outcomes</summary>
    ${button(
      order,
      'approve-and-stay',
      html`<button>Agree but never return</button>
<p>The browser stays here. Only the webhook tells the shop, which has to take the money.</p>`,
    )}
    ${button(
      order,
      'approve-pending',
      html`<button>Agree with a payment under review</button>
<p>The money is held until somebody decides about it.</p>`,
    )}
  </details>
  <p class="fine">Open until <time datetime="${isoOf(order)}">${timeOf(order)}</time></p>
</section>
</main>`,
  });
}

export function agreedPage(order: OrderRow): string {
  const total = displayAmount(order.amount, order.currency);
  const isTaken = order.status === 'COMPLETED';
  return notice({
    order,
    tone: 'good',
    title: isTaken ? 'Paid' : 'Agreed',
    words: isTaken
      ? `${total} has been paid to ${merchantOf(order)}. You can close this page.`
      : `${merchantOf(order)} may now take ${total}. You can close this page.`,
    link: { href: returnUrlOf(order), label: 'Return to the shop' },
  });
}

export function overPage(order: OrderRow): string {
  return notice({
    order,
    tone: 'bad',
    title: 'This payment is over',
    words: 'Nothing was charged. Go back to the shop and start again.',
    link: { href: cancelUrlOf(order), label: 'Back to the shop' },
  });
}

export function unknownPage(): string {
  return notice({
    order: null,
    tone: 'bad',
    title: 'There is no such payment',
    words: 'The address is wrong, or the time to pay has run out. Nothing was charged.',
    link: null,
  });
}

function button(order: OrderRow, action: string, content: Html): Html {
  return html`<form method="post" action="/checkoutnow/${action}?token=${order.id}">${content}</form>`;
}

function cancelUrlOf(order: OrderRow): string {
  const url = new URL(order.cancel_url);
  url.searchParams.set('token', order.id);
  return url.href;
}

function notice(input: {
  order: OrderRow | null;
  tone: 'good' | 'bad';
  title: string;
  words: string;
  link: { href: string; label: string } | null;
}): string {
  const { order, tone, title, words, link } = input;
  return layout({
    title,
    locale: order?.locale ?? null,
    content: html`<main class="notice">
<span class="mark ${tone}" aria-hidden="true">${tone === 'good' ? '✓' : '!'}</span>
<h1>${title}</h1><p>${words}</p>
${link !== null && html`<a class="button" href="${link.href}">${link.label}</a>`}
</main>`,
  });
}

function layout(input: { title: string; locale: string | null; content: Html }): string {
  return html`<!doctype html>
<html lang="${input.locale ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${input.title} · Sandbox Wallet</title>
<style>${trusted(payPageStyle)}${trusted(walletColours)}</style>
</head>
<body>
<header><span class="brand">Sandbox Wallet</span><span class="mode">Test mode</span><span class="why">No real account, no real money.</span></header>
${input.content}
</body>
</html>`.markup;
}

const walletColours = `
:root { --accent: #0057b8; --accent-dark: #00408a; }
.card { background: linear-gradient(135deg, #001c64, #0070e0); }
.chip { background: linear-gradient(135deg, #9fd3ff, #4aa3f5); }
`;

/** The provider knows its merchants by name; the sandbox knows where the payer comes from. */
function merchantOf(order: OrderRow): string {
  return URL.parse(order.return_url)?.host ?? 'the shop';
}

function isoOf(order: OrderRow): string {
  return new Date(order.expires_at * 1000).toISOString();
}

function timeOf(order: OrderRow): string {
  return `${isoOf(order).slice(0, 16).replace('T', ' ')} UTC`;
}
