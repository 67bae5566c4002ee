import type { Counts } from './player-imports.queries.ts';

/** Adds up what became of lines, and tells it each second. */
export function openProgress(
  { bytes, from, note }: { bytes: number; from: number; note: (line: string) => void },
  counts: Counts = { lines: 0, made: 0, known: 0, updated: 0, refused: 0 },
) {
  const begunAt = performance.now();
  const linesAtFirst = counts.lines;
  const total = { ...counts };
  let position = from;
  const tell = () => {
    const seconds = (performance.now() - begunAt) / 1000;
    const perSecond = Math.round((total.lines - linesAtFirst) / seconds);
    const secondsLeft = Math.round(((bytes - position) * seconds) / Math.max(1, position - from));
    const left = position > from ? `, ${secondsLeft} s left` : '';
    note(`${total.lines} lines, ${perSecond} per second, ${total.refused} refused${left}`);
  };
  const timer = setInterval(tell, 1_000);
  return {
    total,
    moved: (to: number, more: Counts) => {
      position = to;
      total.lines += more.lines;
      total.made += more.made;
      total.known += more.known;
      total.updated += more.updated;
      total.refused += more.refused;
    },
    stop: () => clearInterval(timer),
  };
}
