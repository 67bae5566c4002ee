const begun = performance.now();

/** Prints progress immediately, because a drill takes minutes. */
export function logProgress(text: string): void {
  const seconds = ((performance.now() - begun) / 1000).toFixed(0).padStart(4);
  process.stdout.write(`${seconds} s  ${text}\n`);
}
