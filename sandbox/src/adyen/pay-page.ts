import { type Html, html, trusted } from '../platform/html.ts';
import { payPageStyle } from '../platform/pay-page-style.ts';
import { displayAmount } from './money.ts';
import type { SessionRow } from './rows.ts';

/** The page on which the payer decides. It needs no script and asks for nothing from elsewhere. */
export function payPage(session: SessionRow, input: { isDeclined: boolean }): string {
  const total = displayAmount(session.amount, session.currency);
  const action = (name: string) => `/hosted/${session.id}/${name}`;
  return layout({
    title: `Pay ${total}`,
    session,
    content: html`<main class="checkout">
<section class="summary" aria-label="Your order">
  <a class="back" href="${session.return_url}"><span aria-hidden="true">←</span> Back to the shop</a>
  <p class="merchant">Payment to ${merchantOf(session)}</p>
  <p class="total">${total}</p>
  <ul class="items"><li><span class="name">${session.item}</span><span class="amount">${total}</span></li></ul>
  <p class="sum"><span>Total due</span><strong>${total}</strong></p>
</section>
<section class="pay" aria-label="Payment">
  <h1>Pay by card</h1>
  ${input.isDeclined && declinedNotice}
  <div class="card">
    <span class="chip" aria-hidden="true"></span>
    <span class="number"><span class="hidden">Test card ending in </span><span aria-hidden="true">•••• •••• •••• </span>1111</span>
    <span class="holder">Test card</span><span class="expiry">03 / 30</span>
  </div>
  <form method="post" action="${action('pay')}"><button class="primary">Pay ${total}</button></form>
  <form method="post" action="${action('challenge')}"><button>Pay with 3D Secure</button></form>
  <form method="post" action="${action('decline')}"><button>Decline this card</button></form>
  <details>
    <summary>More outcomes</summary>
    <form method="post" action="${action('pay-and-stay')}">
      <button>Pay but never return</button>
      <p>The money moves, the browser stays here. Only the webhook tells the shop.</p>
    </form>
    <form method="post" action="${action('cancel')}">
      <button>Cancel the payment</button>
      <p>The session is over, and nothing was charged.</p>
    </form>
    <form method="post" action="${action('expire')}">
      <button>Expire the session</button>
      <p>As if the time to pay had run out. Whoever is at the bank by then may still finish.</p>
    </form>
  </details>
  <p class="fine">Open until <time datetime="${isoOf(session)}">${isoOf(session).slice(0, 16).replace('T', ' ')} UTC</time></p>
</section>
</main>`,
  });
}

/** The bank's own page, on which the payer proves who it is. */
export function challengePage(session: SessionRow): string {
  const total = displayAmount(session.amount, session.currency);
  return layout({
    title: 'Confirm it is you',
    session,
    content: html`<main class="notice">
<span class="mark good" aria-hidden="true">✓</span>
<h1>Your bank asks: is it you?</h1>
<p>${merchantOf(session)} wants ${total} from the test card ending in 1111. You may take your time, even beyond that of the payment page.</p>
<form method="post" action="/hosted/${session.id}/pay"><button class="primary">Yes, pay ${total}</button></form>
<form method="post" action="/hosted/${session.id}/decline"><button>No, it is not me</button></form>
</main>`,
  });
}

export function paidPage(session: SessionRow, back: string): string {
  return notice({
    session,
    tone: 'good',
    title: 'Paid',
    words: `${displayAmount(session.amount, session.currency)} has been paid to ${merchantOf(session)}. You can close this page.`,
    back,
  });
}

export function overPage(session: SessionRow | undefined): string {
  const titles: Partial<Record<SessionRow['status'], string>> = {
    expired: 'This payment page has expired',
    canceled: 'This payment was canceled',
    refused: 'This payment was refused too often',
  };
  return notice({
    session,
    tone: 'bad',
    title: (session && titles[session.status]) ?? 'There is no such payment page',
    words: 'Nothing was charged. Go back to the shop and start again.',
    back: session?.return_url,
  });
}

const declinedNotice = html`<p class="alert" role="alert"><strong>Your card was declined.</strong> Nothing was charged. You can try again.</p>`;

function notice(input: {
  session: SessionRow | undefined;
  tone: 'good' | 'bad';
  title: string;
  words: string;
  back: string | undefined;
}): string {
  const { session, tone, title, words, back } = input;
  return layout({
    title,
    session,
    content: html`<main class="notice">
<span class="mark ${tone}" aria-hidden="true">${tone === 'good' ? '✓' : '!'}</span>
<h1>${title}</h1><p>${words}</p>
${back !== undefined && html`<a class="button" href="${back}">Return to the shop</a>`}
</main>`,
  });
}

function layout(input: { title: string; session: SessionRow | undefined; content: Html }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${input.title} · Sandbox Adyen</title>
<style>${trusted(payPageStyle)}${trusted(style)}</style>
</head>
<body>
<header><span class="brand">Sandbox Adyen</span><span class="mode">Test mode</span><span class="why">No real card, no real money.</span></header>
${input.content}
</body>
</html>`.markup;
}

const style = `
:root { --accent: #087a3c; --accent-dark: #06612f; }
.card { background: linear-gradient(135deg, #00112c, #0a3d62); }
`;

/** The provider knows its merchants by name; the sandbox knows where the payer comes from. */
function merchantOf(session: SessionRow): string {
  return URL.parse(session.return_url)?.host ?? 'the shop';
}

function isoOf(session: SessionRow): string {
  return new Date(session.expires_at * 1000).toISOString();
}
