const parentCheckMs = 500;

/**
 * Settles when the process should stop: on Ctrl-C, SIGTERM, a closed terminal, or the exit of the
 * parent npm, which does not forward every signal.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    // The listeners stay, so that a second Ctrl-C does not interrupt the shutdown.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve);
    if (process.env.npm_lifecycle_event === undefined) return;
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) resolve('SIGHUP');
    }, parentCheckMs).unref();
  });
}
