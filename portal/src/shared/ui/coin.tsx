import { coinArt } from './art.ts';

/** The E Point coin, without alternative text, because the text beside it has the same meaning. */
export function Coin({ size }: { size: number }) {
  return <img className="coin" src={coinArt} width={size} height={size} alt="" />;
}
