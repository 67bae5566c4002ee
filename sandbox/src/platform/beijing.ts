const beijingSeconds = 8 * 3600;

/** Beijing time, by which Chinese providers date their bills. */
export function beijing(seconds: number): { day: string; time: string } {
  const iso = new Date((seconds + beijingSeconds) * 1000).toISOString();
  return { day: iso.slice(0, 10), time: iso.slice(11, 19) };
}

/** The second at which a day begins in Beijing. */
export function dayStart(day: string): number {
  return Date.parse(`${day}T00:00:00+08:00`) / 1000;
}

/** `¥4.99` for 499 fen, as people read it. */
export function displayYuan(fen: number): string {
  return `¥${yuan(fen)}`;
}

/** `4.99` for 499 fen. */
export function yuan(fen: number): string {
  const digits = String(Math.abs(fen)).padStart(3, '0');
  return `${fen < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
