import { claims } from './claims.ts';
import type { Violation } from './invariant.ts';
import type { NotAsked } from './outside/no-answer.ts';
import type { Finding } from './report.ts';

/**
 * Counts what was checked and collects violations, keeping at most a thousand of them in memory.
 */
export interface Findings {
  add(violations: readonly Violation[]): void;
  /** Counts checked rows of a table, or checked objects of an invariant. */
  count(what: string, many: number): void;
  /** Records that an external party could not be asked about an invariant. */
  addNotAsked(id: string, notAsked: NotAsked): void;
  /** Adds findings that were collected separately, such as those of one month. */
  merge(other: Findings): void;
  list(): Finding[];
  counts: ReadonlyMap<string, number>;
}

/** If every order is wrong, some examples are enough. */
const violationsKeptMax = 1_000;

export function openFindings(): Findings {
  const textsById = new Map<string, string[]>();
  const broken = new Map<string, number>();
  const counts = new Map<string, number>();
  const missed: { id: string; notAsked: NotAsked }[] = [];
  const more = (counts: Map<string, number>, what: string, many: number) =>
    counts.set(what, (counts.get(what) ?? 0) + many);
  const list = () =>
    claims.map(({ id, claim, tables }) => ({
      id,
      claim,
      checked: [id, ...tables].reduce((sum, what) => sum + (counts.get(what) ?? 0), 0),
      broken: broken.get(id) ?? 0,
      violations: textsById.get(id) ?? [],
      notAsked: missed.filter((one) => one.id === id).map(({ notAsked }) => notAsked),
    }));
  const findings: Findings = {
    add: (violations) => {
      for (const { id, text } of violations) {
        more(broken, id, 1);
        const texts = textsById.get(id) ?? [];
        if (texts.length < violationsKeptMax) texts.push(text);
        textsById.set(id, texts);
      }
    },
    count: (what, many) => more(counts, what, many),
    addNotAsked: (id, notAsked) => missed.push({ id, notAsked }),
    merge: (other) => {
      for (const [what, many] of other.counts) more(counts, what, many);
      for (const { id, violations, broken: all, notAsked } of other.list()) {
        findings.add(violations.map((text) => ({ id, text })));
        more(broken, id, all - violations.length);
        for (const one of notAsked) findings.addNotAsked(id, one);
      }
    },
    list,
    counts,
  };
  return findings;
}
