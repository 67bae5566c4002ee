const nearestMax = 3;

/** The known names with the smallest edit distance, nearest first; none that is too different. */
export function nearestNames(typed: string, names: readonly string[]): string[] {
  const far = Math.max(2, Math.ceil(typed.length / 2));
  return names
    .map((name) => ({ name, changes: changesBetween(typed, name) }))
    .filter(({ name, changes }) => changes <= far || (typed !== '' && name.startsWith(typed)))
    .toSorted((one, other) => one.changes - other.changes)
    .slice(0, nearestMax)
    .map(({ name }) => name);
}

/** The edit distance: letters to be added, removed or replaced. */
function changesBetween(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one].entries()) {
    const current = [row + 1];
    for (const [column, wanted] of [...other].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === wanted ? 0 : 1);
      const added = (current[column] ?? 0) + 1;
      const removed = (previous[column + 1] ?? 0) + 1;
      current.push(Math.min(replaced, added, removed));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
