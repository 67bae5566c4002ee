import { passwordsAt } from '../src/people/accounts/passwords.ts';

// Every hash says what it cost, and signing in pays that again. Thousands of players sign in in tests;
// only tests of passwords themselves need the price that the shop sets.
const { hashPassword } = passwordsAt({ memoryCost: 8, timeCost: 1, parallelism: 1 });
const hashes = new Map<string, Promise<string>>();

/** A real hash of a password, made once and cheap to compare with. */
export function quickPasswordHash(password: string): Promise<string> {
  const hashed = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hashed);
  return hashed;
}
