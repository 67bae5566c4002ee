import { z } from 'zod';

/** A calendar date such as `2026-11-15`, in input of operators. */
export const Day = z.string().refine(isDay, 'is no day as 2026-11-14 is');

/** Whether the text is a calendar date such as `2026-11-15`. */
function isDay(text: string): boolean {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
