/** Opens the event stream of an order, as its page does. */
export async function listenToOrder({ url }: { url: string }, paymentId: string, cookie: string) {
  const stopping = new AbortController();
  const response = await fetch(`${url}/api/payment/order/changes/${paymentId}`, {
    headers: { cookie },
    signal: stopping.signal,
  });
  let changes = 0;
  let hasHeard = false;
  let isReplaced = false;
  let heard = Promise.withResolvers<void>();
  const read = async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      changes += chunk.split('event: changed\n').length - 1;
      hasHeard ||= chunk.includes('event: heard\n');
      isReplaced ||= chunk.includes('event: replaced\n');
      heard.resolve();
      heard = Promise.withResolvers<void>();
    }
  };
  const ended = read().catch(() => {});
  return {
    contentType: response.headers.get('content-type'),
    headers: Object.fromEntries(response.headers),
    changes: () => changes,
    hasHeard: () => hasHeard,
    isReplaced: () => isReplaced,
    untilChanges: async (count: number) => {
      while (changes < count) await heard.promise;
    },
    ended,
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}
