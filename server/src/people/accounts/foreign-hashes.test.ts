import { describe, expect, test } from 'vitest';
import { readHash, storedForm } from './foreign-hashes.ts';

const password = 'Dawn-58 über';

// Each made by the format's own tool, in UTF-8:
const vectors = {
  // echo -n 'Dawn-58 über' | argon2 somesaltsomesalt -id -t 2 -k 8192 -p 1 -e
  'Argon2id of the reference tool':
    '$argon2id$v=19$m=8192,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$ZskIhCQ6aPDFi8I/aQQX9FwEEh5o4G1F0M06ZrcodEg',
  // echo -n 'Dawn-58 über' | argon2 somesaltsomesalt -i -t 3 -k 8192 -p 2 -e
  'Argon2i of the reference tool':
    '$argon2i$v=19$m=8192,t=3,p=2$c29tZXNhbHRzb21lc2FsdA$nLRpoI8CnO4FAqnIF4yVCJAg/BvERVU2DLkjAiGoS+0',
  // htpasswd -nbB -C 6 p 'Dawn-58 über'
  'bcrypt as $2y$ of htpasswd': '$2y$06$EYUymCEndJVByHHDVtkel..uHzt5FpFcFmQc3xxezgAVYDJZoU/VG',
  // bcrypt.hashpw('Dawn-58 über'.encode(), bcrypt.gensalt(6, prefix=b'2a')), python3-bcrypt 3.2.2
  'bcrypt as $2a$ of Python': '$2a$06$UXDPxzY.zzpfNICyKMrWaOowsKZz/NyQjZPb9.gtgkuvDdjMqcKSi',
  // bcrypt.hashpw('Dawn-58 über'.encode(), bcrypt.gensalt(6))
  'bcrypt as $2b$ of Python': '$2b$06$BjP/klK8LoRQ7nA0Zy9EB.F6i9K69RafYitYJgBqZyr5lLlHJ0ZS.',
  // passlib.hash.scrypt.using(rounds=10).hash('Dawn-58 über'), Passlib 1.7.4
  'scrypt of Passlib':
    '$scrypt$ln=10,r=8,p=1$yRmD0HoPYey9N4awFkJIqQ$zt27IEolTCIj0SGUZrMc0Rlgwm+2+GtwXC2OBW8O8Zs',
  // passlib.hash.pbkdf2_sha256.using(rounds=1000).hash('Dawn-58 über')
  'PBKDF2 with SHA-256 of Passlib':
    '$pbkdf2-sha256$1000$hXCOcc4ZQ.j9n5OS0hrD2A$96auZwJe9xxGxOBpuSeze68avv8EksX3k9LISHVW8U8',
  // passlib.hash.pbkdf2_sha512.using(rounds=1000).hash('Dawn-58 über')
  'PBKDF2 with SHA-512 of Passlib':
    '$pbkdf2-sha512$1000$5VxrTalVKoVQyjln7L23tg$5gCvsxzFpIkO7rImUNSnbboCbPaZn8tFldD9hYfQ/IIXub6PQt8XQoWFFoQ2fXGMVCL4tl4TPP6pIgf6m9V6Mw',
  // PBKDF2PasswordHasher().encode('Dawn-58 über', 'saltOfDjango', 1000), Django 3.2.25
  'PBKDF2 of Django':
    'pbkdf2_sha256$1000$saltOfDjango$HkbrikjX+HjECAiH3iqt2dNANeGWQKCoFJx6+Pcmp1Q=',
};

const isRight = async (stored: string, typed: string) => {
  const check = readHash(stored);
  if (typeof check === 'string') throw new Error(check);
  return await check(typed);
};

describe('hashes of other systems', () => {
  test.each(Object.entries(vectors))(
    'a password hash in the form %s matches its password and no other',
    async (_, hash) => {
      expect(await isRight(hash, password)).toBe(true);
      expect(await isRight(hash, 'Dawn-58 uber')).toBe(false);
      expect(await isRight(hash, '')).toBe(false);
      expect(storedForm(hash, undefined)).toEqual({ hash });
    },
  );

  test('a PBKDF2 hash may name its rounds with i= and its length with l=, as PHC strings do', async () => {
    const hash = vectors['PBKDF2 with SHA-256 of Passlib']
      .replace('$1000$', '$i=1000,l=32$')
      .replaceAll('.', '+');
    expect(await isRight(hash, password)).toBe(true);
  });

  test('bcrypt compares only the first 72 bytes of a password, as the system that made the hash did', async () => {
    // bcrypt.hashpw(b'x' * 72, bcrypt.gensalt(6))
    const hash = '$2b$06$twaNNUgQwXSsYgZnx7ZjceAmh10aBQ/zSTt5kmQ4iJwhb/ZfogBtO';
    expect(await isRight(hash, 'x'.repeat(72))).toBe(true);
    expect(await isRight(hash, 'x'.repeat(100))).toBe(true);
    expect(await isRight(hash, 'x'.repeat(71))).toBe(false);
  });

  test('the bcrypt prefix $2y$ of PHP means the same hash as $2b$', async () => {
    const hash = vectors['bcrypt as $2y$ of htpasswd'];
    expect(await isRight(hash.replace('$2y$', '$2b$'), password)).toBe(true);
  });
});

describe('hashes of Firebase', () => {
  // The example in the README of firebase/scrypt, with the password user1password.
  const firebase = {
    signerKey:
      'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
    saltSeparator: 'Bw==',
    rounds: 8,
    memCost: 14,
  };
  const written =
    '$firebase-scrypt$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==';
  const stored = () => {
    const form = storedForm(written, firebase);
    if (!('hash' in form)) throw new Error(form.problem);
    return form.hash;
  };

  test('a Firebase hash matches its password with the parameters of its project', async () => {
    expect(await isRight(stored(), 'user1password')).toBe(true);
    expect(await isRight(stored(), 'user2password')).toBe(false);
    const other = storedForm(written, { ...firebase, signerKey: 'Bw=='.padStart(88, 'A') });
    expect(await isRight('hash' in other ? other.hash : '', 'user1password')).toBe(false);
  });

  test('the stored form of a Firebase hash does not contain the key of the project', () => {
    expect(stored()).toMatch(/^\$firebase-scrypt\$ln=14,r=8\$/);
    expect(stored()).not.toContain(firebase.signerKey.slice(0, 20));
  });

  test('a Firebase hash without the parameters of its project is refused', () => {
    expect(storedForm(written, undefined)).toEqual({ problem: 'hash_parameters_missing' });
    expect(readHash(written)).toBe('hash_parameters_missing');
  });

  test('a Firebase hash with more memory than 64 MiB is refused', () => {
    expect(storedForm(written, { ...firebase, memCost: 17 })).toEqual({
      problem: 'hash_too_costly',
    });
  });
});

describe('hashes that are refused', () => {
  const bcrypt = vectors['bcrypt as $2b$ of Python'];
  const scrypt = vectors['scrypt of Passlib'];
  const pbkdf2 = vectors['PBKDF2 with SHA-512 of Passlib'];
  const argon2 = vectors['Argon2id of the reference tool'];

  test.each([
    ['bcrypt with cost 15', bcrypt.replace('$06$', '$15$')],
    ['Argon2 with 65 MiB', argon2.replace('m=8192', 'm=66560')],
    ['Argon2 with 81 passes over 8 MiB', argon2.replace('t=2', 't=81')],
    ['scrypt with 128 MiB', scrypt.replace('ln=10', 'ln=17')],
    ['scrypt with 641 passes over 1 MiB', scrypt.replace('p=1', 'p=641')],
    ['PBKDF2 with 2,000,001 rounds', pbkdf2.replace('$1000$', '$2000001$')],
    [
      'PBKDF2 with SHA-256, twice its length and 1,000,001 rounds',
      pbkdf2.replace('sha512$1000', 'sha256$1000001'),
    ],
  ])('a password hash that would take too long to compare is refused: %s', (_, hash) => {
    expect(readHash(hash)).toBe('hash_too_costly');
  });

  test.each([
    ['bcrypt with cost 14', bcrypt.replace('$06$', '$14$')],
    ['Argon2 with 64 MiB', argon2.replace('m=8192', 'm=65536')],
    ['scrypt with 64 MiB', scrypt.replace('ln=10', 'ln=16')],
    ['PBKDF2 with 2,000,000 rounds', pbkdf2.replace('$1000$', '$2000000$')],
  ])('a password hash at the limit of its cost is accepted: %s', (_, hash) => {
    expect(readHash(hash)).toBeTypeOf('function');
  });

  test.each([
    ['MD5', '5f4dcc3b5aa765d61d8327deb882cf99'],
    ['MD5 with a salt', '5f4dcc3b5aa765d61d8327deb882cf99:pepper'],
    ['SHA-1', '5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8'],
    ['SHA-256', '5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8'],
    ['SHA-512', 'b'.repeat(128)],
    ['SSHA of LDAP', '{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g='],
    ['MD5 of crypt', '$1$O3JMY.Tw$AdLnLjQ/5jXF9.MTp3gHv/'],
    ['SHA-1 of Django', 'sha1$salt$5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8'],
  ])('a fast password hash is refused as too weak: %s', (_, hash) => {
    expect(readHash(hash)).toBe('hash_too_weak');
  });

  test.each([
    ['of a password in plain text', 'Dawn-58'],
    ['that is empty', ''],
    ['of crypt with SHA-512', '$6$rounds=5000$salt$hash'],
    ['of a broken old bcrypt', bcrypt.replace('$2b$', '$2x$')],
  ])('an unknown form of password hash is refused: the form %s', (_, hash) => {
    expect(readHash(hash)).toBe('hash_unknown');
  });

  test.each([
    ['bcrypt cut short', bcrypt.slice(0, -1)],
    ['bcrypt with cost 3', bcrypt.replace('$06$', '$03$')],
    ['PBKDF2 without a hash', '$pbkdf2-sha256$1000$hXCOcc4ZQ.j9n5OS0hrD2A$'],
    ['PBKDF2 with a hash of one byte', '$pbkdf2-sha256$1000$hXCOcc4ZQ.j9n5OS0hrD2A$96'],
    ['PBKDF2 with 0 rounds', pbkdf2.replace('$1000$', '$0$')],
    ['scrypt without blocks', scrypt.replace('r=8', 'r=0')],
    ['Argon2 without passes', argon2.replace('t=2', 't=0')],
    ['Argon2 of an old version', argon2.replace('v=19', 'v=16')],
    ['Argon2 with a line break', `${argon2}\n`],
  ])('a malformed password hash is refused: %s', (_, hash) => {
    expect(readHash(hash)).toBe('hash_malformed');
  });
});
