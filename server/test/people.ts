import { randomBytes } from 'node:crypto';
import { RealNameImport, writePerson } from '../src/people/real-names/real-names.ts';
import type { TestShop } from './shop.ts';

/** Settings with new keys for a shop that stores real-name data. */
export function personEnvironment(): { PERSON_KEYS: string; PERSON_INDEX_KEY: string } {
  const key = () => randomBytes(32).toString('base64');
  return {
    PERSON_KEYS: JSON.stringify([{ id: 'k1', key: key() }]),
    PERSON_INDEX_KEY: key(),
  };
}

export const realName = {
  fullName: '张三丰',
  address: '湖北省十堰市武当山路 1 号',
  phone: '+8613800138000',
  email: 'player@example.com',
  birthday: '1990-04-09',
  identityNumber: '11010119900409123x',
  approvalDate: '2026-02-03',
  approvalRegion: '湖北',
};

/** Imports real-name data like an operator. */
export async function importPerson(
  { db, people }: Pick<TestShop, 'db' | 'people'>,
  person: Parameters<typeof writePerson>[2],
): Promise<boolean> {
  return await db.transaction((tx) => writePerson(tx, people, person));
}

/** Imports the real name of a player like an operator, with changes. */
export async function givenPerson(
  { db, people }: TestShop,
  accountId: string,
  changes: Partial<Record<keyof typeof realName, string | null>> = {},
): Promise<void> {
  const data = RealNameImport.parse({ ...realName, ...changes });
  await importPerson({ db, people }, { accountId, data, by: 'operator' });
}
