import { html } from '../platform/html.ts';
import {
  type Brand,
  checkout,
  itemLine,
  merchantAt,
  moreOutcomes,
  noticePage,
  openUntil,
  overWords,
  paidWords,
  payPage,
  wayToGo,
} from '../platform/pay-page.ts';
import { displayAmount } from './money.ts';
import { returnUrlOf } from './payments.ts';
import type { OrderRow } from './rows.ts';

const brand: Brand = {
  name: 'Sandbox Wallet',
  means: 'account',
  style: `
:root { --accent: #0057b8; --accent-dark: #00408a; }
.card { background: linear-gradient(135deg, #001c64, #0070e0); }
.chip { background: linear-gradient(135deg, #9fd3ff, #4aa3f5); }
`,
};

/** The page on which the payer pays, declines or leaves. */
export function decidePage(order: OrderRow): string {
  const total = displayAmount(order.amount, order.currency);
  const action = (name: string) => `/checkoutnow/${name}?token=${order.id}`;
  return payPage(brand, {
    title: `Pay ${total}`,
    language: order.locale,
    content: checkout({
      back: { href: cancelUrlOf(order), label: 'Cancel and return to the shop' },
      merchant: merchantAt(order.return_url),
      total,
      items: [itemLine(order.description ?? 'Your purchase', total)],
      ways: html`<h1>Pay with your wallet</h1>
  <div class="card">
    <span class="chip" aria-hidden="true"></span>
    <span class="number">payer@example.com</span>
    <span class="holder">Test wallet</span><span class="expiry">Balance</span>
  </div>
  ${wayToGo(action('approve'), `Agree and pay ${total}`, { isPrimary: true })}
  ${wayToGo(action('approve-declined'), 'Agree with a card that is declined')}
  ${moreOutcomes([
    wayToGo(action('approve-and-stay'), 'Agree but never return', {
      words:
        'The browser stays here. Only the webhook tells the shop, which has to take the money.',
    }),
    wayToGo(action('approve-pending'), 'Agree with a payment under review', {
      words: 'The money is held until somebody decides about it.',
    }),
  ])}
  ${openUntil(order.expires_at)}`,
    }),
  });
}

export function agreedPage(order: OrderRow): string {
  const total = displayAmount(order.amount, order.currency);
  const merchant = merchantAt(order.return_url);
  const isTaken = order.status === 'COMPLETED';
  return noticePage(brand, {
    tone: 'good',
    title: isTaken ? 'Paid' : 'Agreed',
    words: isTaken
      ? paidWords({ total, merchant })
      : `${merchant} may now take ${total}. You can close this page.`,
    back: returnUrlOf(order),
    language: order.locale,
  });
}

export function overPage(order: OrderRow): string {
  return noticePage(brand, {
    tone: 'bad',
    title: 'This payment is over',
    words: overWords,
    back: cancelUrlOf(order),
    backLabel: 'Back to the shop',
    language: order.locale,
  });
}

export function unknownPage(): string {
  return noticePage(brand, {
    tone: 'bad',
    title: 'There is no such payment',
    words: 'The address is wrong, or the time to pay has run out. Nothing was charged.',
    back: null,
  });
}

function cancelUrlOf(order: OrderRow): string {
  const url = new URL(order.cancel_url);
  url.searchParams.set('token', order.id);
  return url.href;
}
