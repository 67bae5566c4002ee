import { importsOf, type Source } from './tidy-rules.ts';

/** Files that import each other, directly or through others: each circle once, with its files. */
export function importCircles(files: readonly Source[]): string[][] {
  const targets = new Map(
    files.map((file) => [file.path, importsOf(file).map(({ target }) => target)]),
  );
  // Tarjan's algorithm: a file whose lowest reachable index is its own closes a component.
  const indexOf = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): number => {
    const index = indexOf.size;
    indexOf.set(path, index);
    lowest.set(path, index);
    open.push(path);
    for (const next of targets.get(path) ?? []) {
      if (!targets.has(next)) continue;
      const reached = indexOf.has(next)
        ? open.includes(next)
          ? indexOf.get(next)
          : undefined
        : visit(next);
      lowest.set(path, Math.min(lowest.get(path) ?? index, reached ?? index));
    }
    if (lowest.get(path) === index) {
      const component = open.splice(open.indexOf(path));
      if (component.length > 1) circles.push(component.toSorted());
    }
    return lowest.get(path) ?? index;
  };
  for (const { path } of files) if (!indexOf.has(path)) visit(path);
  return circles;
}
