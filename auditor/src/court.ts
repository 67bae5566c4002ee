import type { Violation } from './invariant.ts';
import { judge, judgeNoOrder } from './judge.ts';
import { judgeLegs } from './judge-legs.ts';
import type { Dispute, Refund } from './order-story.ts';
import { readPapers, type Suspect } from './papers.ts';
import { tell } from './told-order.ts';

/** The part of an order's history that external parties know about. */
export interface Abroad {
  accountId: string;
  paymentId: string;
  refunds: readonly Refund[];
  disputes: readonly Dispute[];
  /** The last answer of the game to a revocation; empty without an answer. */
  revoked: string;
  isBeingRevoked: boolean;
  /** The cases opened for this order, as kind and subject. */
  cases: readonly string[];
}

interface Verdict {
  violations: Violation[];
  abroad: Abroad | undefined;
  /** The number of rows of each kind. */
  counts: ReadonlyMap<string, number>;
}

type JudgeOne = (suspect: Suspect) => Verdict;

/**
 * Judges one order after the other. Orders whose rows differ only in ids are judged once, because
 * most orders are alike. Of an archived order only the point movements are complete.
 */
export function openCourt({ isArchived }: { isArchived: boolean }): { judge: JudgeOne } {
  const judgeOne = isArchived ? judgeArchived : judgeWhole;
  const known = new Map<string, Verdict>();
  return {
    judge: (suspect) => {
      const { text, names } = withoutNames(suspect);
      if (names === undefined) return judgeOne(suspect);
      const name = `${suspect.count} ${text}`;
      const before = known.get(name);
      if (before !== undefined) return withNames(before, names);
      const verdict = judgeOne({ ...suspect, text, accountId: '#0', paymentId: '#1' });
      if (known.size < rememberedMax) known.set(name, verdict);
      return withNames(verdict, names);
    },
  };
}

const rememberedMax = 10_000;

function judgeWhole(suspect: Suspect): Verdict {
  const { accountId, paymentId } = suspect;
  const key = { accountId, paymentId };
  const papers = readPapers(suspect);
  if (papers === undefined) return unreadable(suspect);
  const counts = countsOf(suspect);
  if (papers.order === undefined) {
    return { violations: judgeNoOrder(papers), abroad: undefined, counts };
  }
  const told = tell(papers, papers.order);
  const { refunds, disputes } = told.story;
  const answered = papers.revocations.find(({ state }) => state === 'answered');
  const cases = papers.cases.map(({ kind, subject }) => `${kind} ${subject}`);
  const revoked = answered?.result ?? '';
  const isBeingRevoked = papers.revocations.some(({ state }) => state === 'queued');
  return {
    violations: judge(told),
    abroad: { ...key, refunds, disputes, revoked, isBeingRevoked, cases },
    counts,
  };
}

function judgeArchived(suspect: Suspect): Verdict {
  const papers = readPapers(suspect);
  if (papers === undefined) return unreadable(suspect);
  return { violations: judgeLegs(papers), abroad: undefined, counts: countsOf(suspect) };
}

function unreadable({ paymentId }: Suspect): Verdict {
  const text = `order ${paymentId} has papers that cannot be read`;
  return { violations: [{ id: 'I8', text }], abroad: undefined, counts: new Map() };
}

function countsOf({ text }: Suspect): Map<string, number> {
  const kinds = Map.groupBy(text.split('\n'), (line) => line.split('\t', 1)[0] ?? '');
  return new Map([...kinds].map(([kind, lines]) => [kind, lines.length]));
}

const named = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]{2,4}_[A-Za-z0-9]{12,})/g;

/**
 * The rows with a number in place of each id, except where an id could be confused with a number.
 */
function withoutNames({ accountId, paymentId, text }: Suspect): {
  text: string;
  names: string[] | undefined;
} {
  if (text.includes('#')) return { text, names: undefined };
  const numbers = new Map([
    [accountId, '#0'],
    [paymentId, '#1'],
  ]);
  const numbered = text.replace(named, (found) => {
    const number = numbers.get(found) ?? `#${numbers.size}`;
    numbers.set(found, number);
    return number;
  });
  return { text: numbered, names: [...numbers.keys()] };
}

function withNames({ violations, abroad, counts }: Verdict, names: readonly string[]): Verdict {
  const withName = (text: string) =>
    text.replace(/#(\d+)/g, (number, index) => names[Number(index)] ?? number);
  return {
    counts,
    violations: violations.map(({ id, text }) => ({ id, text: withName(text) })),
    abroad: abroad && {
      ...abroad,
      accountId: withName(abroad.accountId),
      paymentId: withName(abroad.paymentId),
      refunds: abroad.refunds.map((refund) => ({
        ...refund,
        refundId: withName(refund.refundId),
        captureId: withName(refund.captureId),
      })),
      disputes: abroad.disputes.map((dispute) => ({
        ...dispute,
        disputeId: withName(dispute.disputeId),
        captureId: withName(dispute.captureId),
      })),
      cases: abroad.cases.map(withName),
    },
  };
}
