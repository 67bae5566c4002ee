import { beijing } from '../platform/beijing.ts';

/** As in `2026-11-15 21:30:00`, in Beijing. */
export function wireTime(seconds: number): string {
  const { day, time } = beijing(seconds);
  return `${day} ${time}`;
}

/** Parses such a time into seconds; undefined if it is malformed. */
export function secondsOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined;
  const milliseconds = Date.parse(`${text.replace(' ', 'T')}+08:00`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}
