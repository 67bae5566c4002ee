/** The time format of events, in UTC: `2026-11-15 09:30:00`. */
export function timeText(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19).replace('T', ' ');
}
