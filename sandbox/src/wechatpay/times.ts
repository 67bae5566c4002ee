import { beijing } from '../platform/beijing.ts';

/** As in `2026-11-15T21:30:00+08:00`. */
export function wireTime(seconds: number): string {
  const { day, time } = beijing(seconds);
  return `${day}T${time}+08:00`;
}
