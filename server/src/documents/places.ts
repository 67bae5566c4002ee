/** Where a value stands in a folder; lines and columns count from 1. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** A fault of a document, and what to write instead. */
export interface Complaint extends Place {
  /** The name of the field, with those it is in: `theme.accent`. Empty for the file itself. */
  field: string;
  problem: string;
}

/** A value of a file that knows where each of its parts stands. */
export interface Said<T> {
  value: T;
  /** The place of the part with this path, else of the nearest part around it. */
  at(path?: readonly PropertyKey[]): Place;
}

/** A document of a folder with its id. */
export interface Document<T> extends Said<T> {
  id: string;
}

/** `games/starfall/prices.csv:7:21 amount "4,99" is no price in USD: write 4.99` */
export function lineOf({ file, line, column, field, problem }: Complaint): string {
  return [`${file}:${line}:${column}`, field, problem].filter((part) => part !== '').join(' ');
}

export function inOrder(complaints: readonly Complaint[]): Complaint[] {
  return complaints.toSorted(
    (one, other) =>
      (one.file < other.file ? -1 : one.file > other.file ? 1 : 0) ||
      one.line - other.line ||
      one.column - other.column,
  );
}
