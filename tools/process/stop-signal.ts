/** Settles when we are asked to end: Ctrl-C, a polite kill, or the terminal closing. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    // The listeners stay, so that an impatient second Ctrl-C does not cut the orderly end short.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve);
  });
}
