import { sql } from '../../src/platform/db.ts';

/** SQL that computes the hash of an entry from its columns. */
export const hashOfEntry = sql`sha256(convert_to(encode(prev_hash, 'hex') || e'\n' || concat_ws('|', seq,
  to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), kind, origin_id, posting,
  basic_change, present_change, basic_after, present_after, draws), 'UTF8'))`;
