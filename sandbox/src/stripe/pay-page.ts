import { type Html, html, trusted } from '../platform/html.ts';
import { payPageStyle } from '../platform/pay-page-style.ts';
import { displayAmount } from './money.ts';
import { successUrlOf } from './paying.ts';
import type { SessionRow } from './rows.ts';

/** The page on which the payer decides. It needs no script and asks for nothing from elsewhere. */
export function payPage(session: SessionRow, input: { isDeclined: boolean }): string {
  const total = displayAmount(session.amount_total, session.currency);
  return layout({
    title: `Pay ${total}`,
    locale: session.locale,
    content: html`<main class="checkout">
<section class="summary" aria-label="Your order">
  ${backLink(session)}
  <p class="merchant">Payment to ${merchantOf(session)}</p>
  <p class="total">${total}</p>
  <ul class="items">${session.line_items.map((item) => itemRow(session, item))}</ul>
  <p class="sum"><span>Total due</span><strong>${total}</strong></p>
</section>
<section class="pay" aria-label="Payment">
  <h1>Pay by card</h1>
  ${input.isDeclined && declinedNotice}
  <div class="card">
    <span class="chip" aria-hidden="true"></span>
    <span class="number"><span class="hidden">Test card ending in </span><span aria-hidden="true">•••• •••• •••• </span>4242</span>
    <span class="holder">Test card</span><span class="expiry">12 / 34</span>
  </div>
  <form method="post" action="/c/pay/${session.id}/pay"><button class="primary">Pay ${total}</button></form>
  <form method="post" action="/c/pay/${session.id}/decline"><button>Decline this card</button></form>
  <details>
    <summary>More outcomes</summary>
    <form method="post" action="/c/pay/${session.id}/pay-and-stay">
      <button>Pay but never return</button>
      <p>The money moves, the browser stays here. Only the webhook tells the shop.</p>
    </form>
    <form method="post" action="/c/pay/${session.id}/expire">
      <button>Expire the session</button>
      <p>As if the time to pay had run out.</p>
    </form>
  </details>
  <p class="fine">Open until <time datetime="${isoOf(session)}">${timeOf(session)}</time></p>
</section>
</main>`,
  });
}

export function paidPage(session: SessionRow): string {
  return notice({
    session,
    tone: 'good',
    title: 'Paid',
    words: `${displayAmount(session.amount_total, session.currency)} has been paid to ${merchantOf(session)}. You can close this page.`,
    link: { href: successUrlOf(session), label: 'Return to the shop' },
  });
}

export function expiredPage(session: SessionRow): string {
  return notice({
    session,
    tone: 'bad',
    title: 'This payment page has expired',
    words: 'Nothing was charged. Go back to the shop and start again.',
    link:
      session.cancel_url === null ? null : { href: session.cancel_url, label: 'Back to the shop' },
  });
}

export function unknownPage(): string {
  return notice({
    session: null,
    tone: 'bad',
    title: 'There is no such payment page',
    words: 'The address is wrong or incomplete. Nothing was charged.',
    link: null,
  });
}

const declinedNotice = html`<p class="alert" role="alert"><strong>Your card was declined.</strong> Nothing was charged. You can try again.</p>`;

function backLink(session: SessionRow): Html | null {
  if (session.cancel_url === null) return null;
  return html`<a class="back" href="${session.cancel_url}"><span aria-hidden="true">←</span> Back to the shop</a>`;
}

function itemRow(session: SessionRow, item: SessionRow['line_items'][number]): Html {
  const amount = displayAmount(item.unitAmount * item.quantity, session.currency);
  return html`<li><span><span class="name">${item.name}</span>
<span class="detail">${item.description}</span>
${item.quantity > 1 && html`<span class="detail">${item.quantity} × ${displayAmount(item.unitAmount, session.currency)}</span>`}</span>
<span class="amount">${amount}</span></li>`;
}

function notice(input: {
  session: SessionRow | null;
  tone: 'good' | 'bad';
  title: string;
  words: string;
  link: { href: string; label: string } | null;
}): string {
  const { session, tone, title, words, link } = input;
  return layout({
    title,
    locale: session?.locale ?? null,
    content: html`<main class="notice">
<span class="mark ${tone}" aria-hidden="true">${tone === 'good' ? '✓' : '!'}</span>
<h1>${title}</h1><p>${words}</p>
${link !== null && html`<a class="button" href="${link.href}">${link.label}</a>`}
</main>`,
  });
}

function layout(input: { title: string; locale: string | null; content: Html }): string {
  const language = input.locale === null || input.locale === 'auto' ? 'en' : input.locale;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${input.title} · Sandbox Pay</title>
<style>${trusted(payPageStyle)}</style>
</head>
<body>
<header><span class="brand">Sandbox Pay</span><span class="mode">Test mode</span><span class="why">No real card, no real money.</span></header>
${input.content}
</body>
</html>`.markup;
}

/** The provider knows its merchants by name; the sandbox knows where the payer comes from. */
function merchantOf(session: SessionRow): string {
  return URL.parse(session.success_url)?.host ?? 'the shop';
}

function isoOf(session: SessionRow): string {
  return new Date(session.expires_at * 1000).toISOString();
}

function timeOf(session: SessionRow): string {
  return `${isoOf(session).slice(0, 16).replace('T', ' ')} UTC`;
}
