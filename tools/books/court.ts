import type { Violation } from './invariant.ts';
import { judge, judgeNoOrder } from './judge.ts';
import type { Dispute, Refund } from './order-story.ts';
import { readPapers } from './papers.ts';
import type { Suspect } from './suspects.ts';
import { tell } from './told-order.ts';

/** What an order has to do with the world, as its history tells it. */
export interface Abroad {
  accountId: string;
  paymentId: string;
  isTopUp: boolean;
  refunds: readonly Refund[];
  disputes: readonly Dispute[];
  /** What the game answered last when asked to take goods back; empty if it did not. */
  revoked: string;
  isBeingRevoked: boolean;
  /** What operators were told of this order, as kind and subject. */
  cases: readonly string[];
}

export interface Verdict {
  violations: Violation[];
  abroad: Abroad | undefined;
}

/**
 * Judges one order after the other. Papers that read alike but for the names in them are judged
 * once: most refunds, for example, are like most others.
 */
export function openCourt(): { judge(suspect: Suspect): Verdict } {
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

function judgeOne({ accountId, paymentId, ...written }: Suspect): Verdict {
  const key = { accountId, paymentId };
  const papers = readPapers(key, written);
  if (papers === undefined) {
    const text = `order ${paymentId} has papers that cannot be read`;
    return { violations: [{ id: 'I8', text }], abroad: undefined };
  }
  if (papers.order === undefined) {
    return { violations: judgeNoOrder(papers), abroad: undefined };
  }
  const told = tell(papers, papers.order);
  const { refunds, disputes } = told.story;
  const answered = papers.revocations.find(({ state }) => state === 'answered');
  const cases = papers.cases.map(({ kind, subject }) => `${kind} ${subject}`);
  const revoked = answered?.result ?? '';
  const isBeingRevoked = papers.revocations.some(({ state }) => state === 'queued');
  const isTopUp = papers.order.kind === 'points';
  return {
    violations: judge(told),
    abroad: { ...key, isTopUp, refunds, disputes, revoked, isBeingRevoked, cases },
  };
}

const named = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]{2,4}_[A-Za-z0-9]{12,})/g;

/** The papers with a number in place of each name. Not where a number could be taken for one. */
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

function withNames({ violations, abroad }: Verdict, names: readonly string[]): Verdict {
  const withName = (text: string) =>
    text.replace(/#(\d+)/g, (number, index) => names[Number(index)] ?? number);
  return {
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
