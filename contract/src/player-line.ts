import * as z from 'zod/mini';
import { EmailAddress, PhoneNumber } from './accounts.ts';
import { ForeignId, PlayerName, Slug } from './names.ts';
import { providerMethods, signInProviders } from './sign-in-providers.ts';

// A line of the file that `operate import-players` reads. Browsers never load this file.

const providerTypes = providerMethods.map((method) => signInProviders[method].accountType);

/** A player's id at an identity provider. */
const ProviderSubject = z.string().check(z.regex(/^[\x21-\x7e]{1,255}$/));

/** A player of another system. At least a name, an identity or a game account has to be given. */
export const PlayerLine = z.strictObject({
  /** Found in upper and lower case. */
  loginName: z.optional(z.string().check(z.maxLength(64), z.regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u))),
  email: z.optional(EmailAddress),
  phone: z.optional(PhoneNumber),
  /** By default the login name, else the first game account. */
  displayName: z.optional(PlayerName),
  /** A hash in one of the forms that docs/import-players.md lists; never the password itself. */
  password: z.optional(z.string().check(z.regex(/^[\x20-\x7e]{1,512}$/))),
  identities: z.optional(z.partialRecord(z.enum(providerTypes), ProviderSubject)),
  gameAccounts: z.optional(
    z.array(z.strictObject({ gameId: Slug, gameAccountId: ForeignId })).check(z.maxLength(100)),
  ),
  /** When the player began in the old system. Gifts for new accounts go by it. */
  createdAt: z.iso.datetime({ offset: true }),
  state: z._default(z.enum(['active', 'suspended']), 'active'),
});
export type PlayerLine = z.output<typeof PlayerLine>;

/** The fields of a line, which are also the columns of a CSV file. */
export const playerFields = Object.keys(PlayerLine.shape) as (keyof PlayerLine)[]; // as: of this schema
