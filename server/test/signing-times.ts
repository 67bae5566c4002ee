/** Signing times that no other call of a file uses, because a repeated signature is refused. */
export function openSigningTimes(): () => number {
  let last = 0;
  return () => {
    // From the first call on, because opening a shop takes time.
    last = last === 0 ? Math.floor(Date.now() / 1000) - 200 : last + 1;
    return last;
  };
}
