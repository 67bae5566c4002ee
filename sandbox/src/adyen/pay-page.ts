import { html } from '../platform/html.ts';
import {
  type Brand,
  checkout,
  declinedNotice,
  itemLine,
  merchantAt,
  moreOutcomes,
  noticePage,
  openUntil,
  overWords,
  paidWords,
  payPage,
  testCard,
  wayToGo,
} from '../platform/pay-page.ts';
import { displayAmount } from './money.ts';
import type { SessionRow } from './rows.ts';

const brand: Brand = {
  name: 'Sandbox Adyen',
  means: 'card',
  style: `
:root { --accent: #087a3c; --accent-dark: #06612f; }
.card { background: linear-gradient(135deg, #00112c, #0a3d62); }
`,
};

/** The page on which the payer pays, declines or leaves. */
export function decidePage(session: SessionRow, input: { isDeclined: boolean }): string {
  const total = displayAmount(session.amount, session.currency);
  const action = (name: string) => `/hosted/${session.id}/${name}`;
  return payPage(brand, {
    title: `Pay ${total}`,
    content: checkout({
      back: { href: session.return_url, label: 'Back to the shop' },
      merchant: merchantAt(session.return_url),
      total,
      items: [itemLine(session.item, total)],
      ways: html`<h1>Pay by card</h1>
  ${input.isDeclined && declinedNotice('card')}
  ${testCard({ ending: '1111', expiry: '03 / 30' })}
  ${wayToGo(action('pay'), `Pay ${total}`, { isPrimary: true })}
  ${wayToGo(action('challenge'), 'Pay with 3D Secure')}
  ${wayToGo(action('decline'), 'Decline this card')}
  ${moreOutcomes([
    wayToGo(action('pay-and-stay'), 'Pay but never return', {
      words: 'The money moves, the browser stays here. Only the webhook tells the shop.',
    }),
    wayToGo(action('cancel'), 'Cancel the payment', {
      words: 'The session is over, and nothing was charged.',
    }),
    wayToGo(action('expire'), 'Expire the session', {
      words: 'As if the time to pay had run out. Whoever is at the bank by then may still finish.',
    }),
  ])}
  ${openUntil(session.expires_at)}`,
    }),
  });
}

/** The bank's page of a 3D Secure challenge. */
export function challengePage(session: SessionRow): string {
  const total = displayAmount(session.amount, session.currency);
  return payPage(brand, {
    title: 'Confirm it is you',
    content: html`<main class="notice">
<span class="mark good" aria-hidden="true">✓</span>
<h1>Your bank asks: is it you?</h1>
<p>${merchantAt(session.return_url)} wants ${total} from the test card ending in 1111. You may take your time, even beyond that of the payment page.</p>
${wayToGo(`/hosted/${session.id}/pay`, `Yes, pay ${total}`, { isPrimary: true })}
${wayToGo(`/hosted/${session.id}/decline`, 'No, it is not me')}
</main>`,
  });
}

export function paidPage(session: SessionRow, back: string): string {
  const total = displayAmount(session.amount, session.currency);
  return noticePage(brand, {
    tone: 'good',
    title: 'Paid',
    words: paidWords({ total, merchant: merchantAt(session.return_url) }),
    back,
  });
}

export function overPage(session: SessionRow | undefined): string {
  const titles: Partial<Record<SessionRow['status'], string>> = {
    expired: 'This payment page has expired',
    canceled: 'This payment was canceled',
    refused: 'This payment was refused too often',
  };
  return noticePage(brand, {
    tone: 'bad',
    title: (session && titles[session.status]) ?? 'There is no such payment page',
    words: overWords,
    back: session?.return_url ?? null,
  });
}
