import type { OwnSecurity } from '@pointgate/contract/own-account.ts';
import type { Db } from '../../platform/db.ts';
import { hasTypedName, passwordOf } from './account-sign-in-methods.ts';
import { selectWaysIn } from './accounts.queries.ts';
import type { Addresses } from './addresses.ts';
import { mayRemove } from './own-addresses.ts';
import { selectRecoveryCodes } from './recovery-codes.queries.ts';

/** A masked address, enough for the owner to recognise it. */
export type Masks = Readonly<Record<'EMAIL' | 'MOBILE', (address: string) => string>>;

export async function securityOf(
  { db, addresses }: { db: Db; addresses: Addresses },
  masks: Masks,
  accountId: string,
): Promise<OwnSecurity> {
  const ways = await selectWaysIn(db, accountId);
  const known = await addresses.of(db, accountId);
  const { made_at: madeAt, unused } = await selectRecoveryCodes(db, accountId);
  const addressOf = (accountType: 'EMAIL' | 'MOBILE') => {
    if (!ways.some((way) => way.account_type === accountType)) return null;
    const address = known.find((each) => each.accountType === accountType)?.address;
    const masked = address === undefined ? null : masks[accountType](address.reveal());
    return { masked, canBeRemoved: mayRemove(ways, accountType, unused) };
  };
  return {
    hasPassword: passwordOf(ways) !== null,
    canHavePassword: hasTypedName(ways),
    email: addressOf('EMAIL'),
    phone: addressOf('MOBILE'),
    recoveryCodes: madeAt === null ? null : { unused, madeAt: madeAt.toISOString() },
  };
}
