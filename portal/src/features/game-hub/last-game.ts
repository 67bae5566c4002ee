import { keepText, readText } from '../../shared/browser/kept.ts';

const storageKey = 'pointgate.game';

/** The game opened last in this browser; the game may have been removed since. */
export function lastGameId(): string | null {
  return readText('localStorage', storageKey);
}

export function rememberGame(gameId: string): void {
  keepText('localStorage', storageKey, gameId);
}
