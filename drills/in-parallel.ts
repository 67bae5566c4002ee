/** Runs the work for each item with limited concurrency, and keeps the order of the results. */
export async function inParallel<T, Result>(
  list: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(list.length);
  const queue = list.entries();
  const lane = async () => {
    for (const [index, item] of queue) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}
