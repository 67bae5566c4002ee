import { type Html, html } from '../platform/html.ts';
import {
  type Brand,
  checkout,
  declinedNotice,
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
import { successUrlOf } from './paying.ts';
import type { SessionRow } from './rows.ts';

const brand: Brand = { name: 'Sandbox Pay', means: 'card', style: '' };

/** The page on which the payer pays, declines or leaves. */
export function decidePage(session: SessionRow, input: { isDeclined: boolean }): string {
  const total = displayAmount(session.amount_total, session.currency);
  const action = (name: string) => `/c/pay/${session.id}/${name}`;
  const { cancel_url } = session;
  return payPage(brand, {
    title: `Pay ${total}`,
    language: languageOf(session),
    content: checkout({
      back: cancel_url === null ? null : { href: cancel_url, label: 'Back to the shop' },
      merchant: merchantAt(session.success_url),
      total,
      items: session.line_items.map((item) => itemRow(session, item)),
      ways: html`<h1>Pay by card</h1>
  ${input.isDeclined && declinedNotice('card')}
  ${testCard({ ending: '4242', expiry: '12 / 34' })}
  ${wayToGo(action('pay'), `Pay ${total}`, { isPrimary: true })}
  ${wayToGo(action('decline'), 'Decline this card')}
  ${moreOutcomes([
    wayToGo(action('pay-and-stay'), 'Pay but never return', {
      words: 'The money moves, the browser stays here. Only the webhook tells the shop.',
    }),
    wayToGo(action('expire'), 'Expire the session', {
      words: 'As if the time to pay had run out.',
    }),
  ])}
  ${openUntil(session.expires_at)}`,
    }),
  });
}

export function paidPage(session: SessionRow): string {
  const total = displayAmount(session.amount_total, session.currency);
  return noticePage(brand, {
    tone: 'good',
    title: 'Paid',
    words: paidWords({ total, merchant: merchantAt(session.success_url) }),
    back: successUrlOf(session),
    language: languageOf(session),
  });
}

export function expiredPage(session: SessionRow): string {
  return noticePage(brand, {
    tone: 'bad',
    title: 'This payment page has expired',
    words: overWords,
    back: session.cancel_url,
    backLabel: 'Back to the shop',
    language: languageOf(session),
  });
}

export function unknownPage(): string {
  return noticePage(brand, {
    tone: 'bad',
    title: 'There is no such payment page',
    words: 'The address is wrong or incomplete. Nothing was charged.',
    back: null,
  });
}

function itemRow(session: SessionRow, item: SessionRow['line_items'][number]): Html {
  const amount = displayAmount(item.unitAmount * item.quantity, session.currency);
  return html`<li><span><span class="name">${item.name}</span>
<span class="detail">${item.description}</span>
${item.quantity > 1 && html`<span class="detail">${item.quantity} × ${displayAmount(item.unitAmount, session.currency)}</span>`}</span>
<span class="amount">${amount}</span></li>`;
}

function languageOf({ locale }: SessionRow): string | null {
  return locale === 'auto' ? null : locale;
}
