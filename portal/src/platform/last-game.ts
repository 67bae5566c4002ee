import { keepText, readText } from '../session/kept.ts';

const storageKey = 'pointgate.game';

/** The game that was topped up last in this browser; it may be gone by now. */
export function lastGameId(): string | null {
  return readText('localStorage', storageKey);
}

export function rememberGame(gameId: string): void {
  keepText('localStorage', storageKey, gameId);
}
