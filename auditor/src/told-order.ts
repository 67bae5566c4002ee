import { type Fact, readFact } from './facts.ts';
import { type Story, storyOf } from './order-story.ts';
import type { OrderPaper, Papers } from './papers.ts';

/** An existing order with its rows and the state that its history leads to. */
export interface ToldOrder {
  papers: Papers;
  order: OrderPaper;
  facts: Fact[];
  story: Story;
  /** Events that cannot be parsed. */
  unreadable: number[];
}

export function tell(papers: Papers, order: OrderPaper): ToldOrder {
  const facts: Fact[] = [];
  const unreadable: number[] = [];
  for (const { seq, fact } of papers.events) {
    const read = readFact(fact);
    if (read === undefined) unreadable.push(seq);
    else facts.push(read);
  }
  return { papers, order, facts, story: storyOf(order, facts), unreadable };
}
