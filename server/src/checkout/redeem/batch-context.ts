import { type OperatorParts, refuse } from '../../platform/operator-action.ts';
import { openCodeHash } from './code-text.ts';
import type { BatchContext } from './redeem.ts';

export function batchContext({ db, sites, config }: OperatorParts): BatchContext {
  const key = config.REDEEM_CODE_KEY ?? refuse('REDEEM_CODE_KEY is not set');
  return { db, sites, hashOf: openCodeHash(key) };
}
