import { type Price, pointsUnit } from '@pointgate/contract/money.ts';
import { useFormat } from '../i18n/format.ts';
import { Coin } from './coin.tsx';
import './price-text.css';

interface PriceTextProps {
  price: Price;
  coinSize: number;
}

/** A compact price: E Points as coin and number, with their name for screen readers. */
export function PriceText({ price, coinSize }: PriceTextProps) {
  const format = useFormat();
  if (price.currency !== pointsUnit) return format.price(price);
  return (
    <span className="price-points">
      <Coin size={coinSize} />
      <span aria-hidden="true">{format.number(price.amountMinor)}</span>
      <span className="visually-hidden">{format.price(price)}</span>
    </span>
  );
}
