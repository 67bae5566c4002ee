const storageKey = 'pointgate.game';

/** The game that was topped up last in this browser; it may be gone by now. */
export function lastGameId(): string | null {
  return localStorage.getItem(storageKey);
}

export function rememberGame(gameId: string): void {
  localStorage.setItem(storageKey, gameId);
}
