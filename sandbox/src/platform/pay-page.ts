import type { FastifyReply } from 'fastify';
import { isoTime } from './clock.ts';
import { type Html, html, trusted } from './html.ts';
import { payPageStyle } from './pay-page-style.ts';

/** The layout of a payer's page: plain forms, no external resources, and a test notice. */
export type Brand = {
  name: string;
  /** The means of payment that the test notice says is not needed. */
  means: 'account' | 'card' | 'wallet';
  style: string;
};

export function payPage(
  brand: Brand,
  { title, content, language }: { title: string; content: Html; language?: string | null },
): string {
  return html`<!doctype html>
<html lang="${language ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title} · ${brand.name}</title>
<style>${trusted(payPageStyle)}${trusted(brand.style)}</style>
</head>
<body>
<header><span class="brand">${brand.name}</span><span class="mode">Test mode</span><span class="why">No real ${brand.means}, no real money.</span></header>
${content}
</body>
</html>`.markup;
}

/** Shows the outcome, with a link back to the shop if there is one. */
export function noticePage(
  brand: Brand,
  input: {
    tone: 'good' | 'bad';
    title: string;
    words: string;
    back: string | null;
    backLabel?: string;
    language?: string | null;
  },
): string {
  const { tone, title, words, back, backLabel = 'Return to the shop', language = null } = input;
  return payPage(brand, {
    title,
    language,
    content: html`<main class="notice">
<span class="mark ${tone}" aria-hidden="true">${tone === 'good' ? '✓' : '!'}</span>
<h1>${title}</h1><p>${words}</p>
${back !== null && html`<a class="button" href="${back}">${backLabel}</a>`}
</main>`,
  });
}

/** Stands in for scanning: a form that takes the content of a QR code. */
export function scanPage(
  brand: Brand,
  input: { begin: string; example: string; complaint: string | null },
): string {
  const { begin, example, complaint } = input;
  return payPage(brand, {
    title: 'Scan a code',
    content: html`<main class="notice">
<span class="mark good" aria-hidden="true">¥</span>
<h1>Scan a payment code</h1>
<p>Paste what the QR code says. It begins with ${begin}.</p>
${complaint !== null && html`<p class="alert" role="alert"><strong>${complaint}</strong></p>`}
<form method="get" action="/scan"><label class="hidden" for="code">Code</label>
<input id="code" name="code" required autocomplete="off" placeholder="${example}">
<button class="primary">Scan</button></form>
</main>`,
  });
}

/** The order summary, beside the payment options. */
export function checkout(input: {
  back: { href: string; label: string } | null;
  merchant: string;
  total: string;
  items: readonly Html[];
  ways: Html;
}): Html {
  const { back, merchant, total, items, ways } = input;
  return html`<main class="checkout">
<section class="summary" aria-label="Your order">
  ${back !== null && html`<a class="back" href="${back.href}"><span aria-hidden="true">←</span> ${back.label}</a>`}
  <p class="merchant">Payment to ${merchant}</p>
  <p class="total">${total}</p>
  <ul class="items">${items}</ul>
  <p class="sum"><span>Total due</span><strong>${total}</strong></p>
</section>
<section class="pay" aria-label="Payment">
${ways}
</section>
</main>`;
}

export function itemLine(name: string, amount: string): Html {
  return html`<li><span class="name">${name}</span><span class="amount">${amount}</span></li>`;
}

export function testCard({ ending, expiry }: { ending: string; expiry: string }): Html {
  return html`<div class="card">
    <span class="chip" aria-hidden="true"></span>
    <span class="number"><span class="hidden">Test card ending in </span><span aria-hidden="true">•••• •••• •••• </span>${ending}</span>
    <span class="holder">Test card</span><span class="expiry">${expiry}</span>
  </div>`;
}

/** One possible outcome of the payment; `words` describe it. */
export function wayToGo(
  action: string,
  label: string,
  { words, isPrimary = false }: { words?: string; isPrimary?: boolean } = {},
): Html {
  return html`<form method="post" action="${action}">
    <button${isPrimary && trusted(' class="primary"')}>${label}</button>
    ${words !== undefined && html`<p>${words}</p>`}
  </form>`;
}

export function moreOutcomes(outcomes: readonly Html[]): Html {
  return html`<details>
    <summary>More outcomes</summary>
    ${outcomes}
  </details>`;
}

/** The notice after a declined attempt; the payer can retry on the same page. */
export function declinedNotice(what: 'card' | 'payment'): Html {
  return html`<p class="alert" role="alert"><strong>Your ${what} was declined.</strong> Nothing was charged. You can try again.</p>`;
}

export function paidWords({ total, merchant }: { total: string; merchant: string }): string {
  return `${total} has been paid to ${merchant}. You can close this page.`;
}

export const overWords = 'Nothing was charged. Go back to the shop and start again.';

/**
 * The merchant's name on the page: the sandbox knows only a URL of the merchant and shows its host.
 */
export function merchantAt(address: string | null): string {
  return URL.parse(address ?? '')?.host ?? 'the shop';
}

export function openUntil(seconds: number): Html {
  const iso = isoTime(seconds);
  return html`<p class="fine">Open until <time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time></p>`;
}

export function sendPage(
  reply: FastifyReply,
  status: number,
  page: string,
  scripts: "'self'" | "'none'" = "'none'",
): FastifyReply {
  return (
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      // No form-action: it would block the redirect to the shop, which is on another origin.
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'unsafe-inline'; script-src ${scripts}; img-src data:`,
      )
      .send(page)
  );
}
