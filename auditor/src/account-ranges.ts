/** A range of account ids; `last` is included. */
export interface AccountRange {
  after: string;
  /** Undefined if there is no upper limit. */
  last: string | undefined;
}

/** A SQL condition for the range; its parameters are `accountValues`. */
export function accountsIn(column: string, { last }: AccountRange): string {
  return `${column} > $1::uuid${last === undefined ? '' : ` and ${column} <= $2::uuid`}`;
}

export function accountValues({ after, last }: AccountRange): string[] {
  return last === undefined ? [after] : [after, last];
}
