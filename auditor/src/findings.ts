import { claims } from './claims.ts';
import type { Violation } from './invariant.ts';
import type { NotAsked } from './outside/unasked.ts';
import type { Finding } from './report.ts';

/**
 * Counts what was checked and collects violations, keeping at most a thousand of them in memory.
 */
export interface Findings {
  add(violations: readonly Violation[]): void;
  /** Counts checked rows of a table, or checked objects of an invariant. */
  count(what: string, many: number): void;
  /** Records that an external party could not be asked about an invariant. */
  miss(id: string, notAsked: NotAsked): void;
  /** Adds findings that were collected separately, such as those of one month. */
  take(other: Findings): void;
  list(): Finding[];
  looked: ReadonlyMap<string, number>;
}

/** If every order is wrong, some examples are enough. */
const violationsKeptMax = 1_000;

export function openFindings(): Findings {
  const kept = new Map<string, string[]>();
  const broken = new Map<string, number>();
  const looked = new Map<string, number>();
  const missed: { id: string; notAsked: NotAsked }[] = [];
  const more = (counts: Map<string, number>, what: string, many: number) =>
    counts.set(what, (counts.get(what) ?? 0) + many);
  const list = () =>
    claims.map(({ id, claim, tables }) => ({
      id,
      claim,
      checked: [id, ...tables].reduce((sum, what) => sum + (looked.get(what) ?? 0), 0),
      broken: broken.get(id) ?? 0,
      violations: kept.get(id) ?? [],
      notAsked: missed.filter((one) => one.id === id).map(({ notAsked }) => notAsked),
    }));
  const findings: Findings = {
    add: (violations) => {
      for (const { id, text } of violations) {
        more(broken, id, 1);
        const texts = kept.get(id) ?? [];
        if (texts.length < violationsKeptMax) texts.push(text);
        kept.set(id, texts);
      }
    },
    count: (what, many) => more(looked, what, many),
    miss: (id, notAsked) => missed.push({ id, notAsked }),
    take: (other) => {
      for (const [what, many] of other.looked) more(looked, what, many);
      for (const { id, violations, broken: all, notAsked } of other.list()) {
        findings.add(violations.map((text) => ({ id, text })));
        more(broken, id, all - violations.length);
        for (const one of notAsked) findings.miss(id, one);
      }
    },
    list,
    looked,
  };
  return findings;
}
