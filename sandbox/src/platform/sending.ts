import type { Database } from './database.ts';

const sendingMax = 32;
/** How often it looks for what has become due by itself: retries and delays. */
const lookEveryMs = 50;

/** Sends what the commits have left to be sent, again and again until it is taken. */
export function startSending<Send>(
  db: Database,
  work: { takeDue: (limit: number) => Send[]; deliver: (send: Send) => Promise<void> },
): { stop: () => Promise<void> } {
  const sending = new Set<Promise<void>>();
  let isStopped = false;

  // What an earlier process had in hand when it ended is sent again: better twice than never.
  db.run("update webhook_sends set state = 'waiting' where state = 'sending'");

  function look(): void {
    if (isStopped) return;
    for (const send of work.takeDue(sendingMax - sending.size)) {
      const delivery = work.deliver(send).finally(() => sending.delete(delivery));
      sending.add(delivery);
    }
  }
  db.afterCommit(() => setImmediate(look));
  const timer = setInterval(look, lookEveryMs);

  return {
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await Promise.allSettled(sending);
    },
  };
}
