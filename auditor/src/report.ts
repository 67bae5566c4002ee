import type { NotAsked } from './outside/no-answer.ts';

/** The result of one invariant. */
export interface Finding {
  id: string;
  claim: string;
  /** The number of checked objects; with 0 nothing was proven. */
  checked: number;
  /** The number of violations, of which only some are kept. */
  broken: number;
  violations: string[];
  /** The external parties that could not be asked; nothing is claimed about them. */
  notAsked: NotAsked[];
}

const violationsShownMax = 5;

/**
 * A report of one screen: a line for each invariant, followed by its violations and the parties
 * that could not be asked. It is green if nothing is broken and everybody was asked.
 */
export function reportOf(findings: readonly Finding[]): { text: string; isGreen: boolean } {
  const sorted = findings.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
  const lines = sorted.flatMap(({ id, claim, checked, broken, violations, notAsked }) => {
    const isOpen = notAsked.length > 0;
    const verdict = broken > 0 ? 'BROKEN' : isOpen ? 'open' : checked === 0 ? 'empty' : 'holds';
    const shown = violations
      .slice(0, violationsShownMax)
      .map((violation) => `           ${violation}`);
    const more = broken - shown.length;
    return [
      `${id.padEnd(4)}${verdict.padEnd(7)}${claim} (${checked})`,
      ...shown,
      ...(more > 0 ? [`           and ${more} more`] : []),
      ...notAsked.map(({ party, reason }) => `           not asked: ${party}: ${reason}`),
    ];
  });
  const wrong = findings.filter(({ broken }) => broken > 0).length;
  return {
    text: [...lines, verdictOf(findings, wrong)].join('\n'),
    isGreen: wrong === 0 && notAskedIn(findings).length === 0,
  };
}

export function notAskedIn(findings: readonly Finding[]): NotAsked[] {
  return findings.flatMap(({ notAsked }) => notAsked);
}

function verdictOf(findings: readonly Finding[], wrong: number): string {
  if (wrong > 0) {
    return `The books are NOT in order: ${wrong} of ${findings.length} invariants are broken.`;
  }
  const parties = notAskedIn(findings).map(({ party }) => party);
  return parties.length > 0
    ? `The books were NOT compared with everybody: not asked were ${parties.join(', ')}.`
    : `The books are in order: ${successText(findings)}`;
}

function successText(findings: readonly Finding[]): string {
  // The job queue has work even in a shop without sales.
  const isUnused = findings.every(({ id, checked }) => checked === 0 || id === 'I11');
  if (isUnused) return 'nothing has been sold yet.';
  const empty = findings.filter(({ checked }) => checked === 0).length;
  const held = findings.length - empty;
  if (empty === 0) return `all ${held} invariants hold.`;
  return `${held} invariants hold, ${empty} have nothing to hold for yet.`;
}
