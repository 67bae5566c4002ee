import { type PutPersonReply, putPerson } from '@pointgate/contract/real-names.ts';
import { type PeopleContext, RealNameImport, writePerson } from '../real-names/real-names.ts';
import { type ArrivalSite, type ArrivalsContext, playerOf } from './arrivals.ts';
import { isFirstTime, readSigned } from './game-request.ts';

/**
 * Replaces the real-name data of a player with the data from the game. A replayed request is
 * refused, so that older data cannot overwrite newer data.
 */
export async function personFromGame(
  { db, secretsOf, now, people }: ArrivalsContext & { people: PeopleContext },
  {
    body,
    signature,
    site,
    requestId,
  }: { body: Buffer; signature: string; site: ArrivalSite; requestId: string },
): Promise<PutPersonReply> {
  const signed = await readSigned({ body, signature, secretsOf, nowMs: now() });
  if (signed === undefined) return { result: 'unauthorized' };
  const asked = putPerson.request.safeParse(signed.said);
  if (!asked.success) return { result: 'malformed', fields: fieldsIn(asked.error, []) };
  const person = RealNameImport.safeParse(asked.data.person);
  if (!person.success) return { result: 'malformed', fields: fieldsIn(person.error, ['person']) };
  if (people.cipher === null) return { result: 'refused', reason: 'not_kept' };

  return await db.transaction(async (tx): Promise<PutPersonReply> => {
    if (!(await isFirstTime(tx, signed))) return { result: 'unauthorized' };
    const { gameId, gameAccountId } = asked.data;
    const accountId = await playerOf(tx, { gameId, gameAccountId, site });
    if (accountId === undefined) return { result: 'refused', reason: 'game_account_not_found' };
    const { data } = person;
    await writePerson(tx, people, { accountId, data, by: `game:${gameId}`, requestId });
    return { result: 'ok' };
  });
}

/**
 * Names the invalid fields, but neither their values nor the names of unknown fields, which could
 * hold personal data.
 */
function fieldsIn(
  { issues }: { issues: readonly { path: readonly PropertyKey[] }[] },
  above: readonly string[],
): string[] {
  return [...new Set(issues.map(({ path }) => [...above, ...path].join('.') || 'body'))];
}
