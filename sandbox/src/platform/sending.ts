import type { Database } from './database.ts';

const sendingMax = 32;
/** How often the queue is checked for due retries and delayed webhooks. */
const lookEveryMs = 50;

/** Sends the queued webhooks, with retries until they are accepted. */
export function startSending<Send>(
  db: Database,
  work: { takeDue: (limit: number) => Send[]; deliver: (send: Send) => Promise<void> },
): { stop: () => Promise<void> } {
  const sending = new Set<Promise<void>>();
  let isStopped = false;

  // Webhooks that a killed process had claimed are sent again: at-least-once delivery.
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
