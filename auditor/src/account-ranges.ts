/** Accounts between two ids, the last of them among them. */
export interface AccountRange {
  after: string;
  /** Undefined is no limit. */
  last: string | undefined;
}

/** As SQL for `accountValues`. */
export function accountsIn(column: string, { last }: AccountRange): string {
  return `${column} > $1::uuid${last === undefined ? '' : ` and ${column} <= $2::uuid`}`;
}

export function accountValues({ after, last }: AccountRange): string[] {
  return last === undefined ? [after] : [after, last];
}
