import { passwordsAt } from '../src/people/accounts/passwords.ts';

// A hash with low cost parameters, which also apply when signing in. Thousands of players sign in
// in tests, and only tests of passwords themselves need the real cost.
const { hashPassword } = passwordsAt({ memoryCost: 8, timeCost: 1, parallelism: 1 });
const hashes = new Map<string, Promise<string>>();

/** A real hash of a password, made once and cheap to compare with. */
export function quickPasswordHash(password: string): Promise<string> {
  const hashed = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hashed);
  return hashed;
}
