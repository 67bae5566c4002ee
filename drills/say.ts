const begun = performance.now();

/** Progress, at the moment it is made: a drill takes minutes. */
export function say(text: string): void {
  const seconds = ((performance.now() - begun) / 1000).toFixed(0).padStart(4);
  process.stdout.write(`${seconds} s  ${text}\n`);
}
