import { coinArt } from './art.ts';

/** The E Point coin. The word or the number beside it says the same, so it has no text of its own. */
export function Coin({ size }: { size: number }) {
  return <img className="coin" src={coinArt} width={size} height={size} alt="" />;
}
