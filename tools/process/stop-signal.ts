const parentCheckMs = 500;

/**
 * Settles when we are asked to end: Ctrl-C, a polite kill, the terminal closing, or the end of the
 * npm that runs us, which does not pass every signal on.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    // The listeners stay, so that an impatient second Ctrl-C does not cut the orderly end short.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve);
    if (process.env.npm_lifecycle_event === undefined) return;
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) resolve('SIGHUP');
    }, parentCheckMs).unref();
  });
}
