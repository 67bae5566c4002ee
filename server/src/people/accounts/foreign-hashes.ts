import { createDecipheriv, createHash, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { verify as verifyArgon2 } from '@node-rs/argon2';
import { verify as verifyBcrypt } from '@node-rs/bcrypt';

// Password hashes, known by their prefix: our own, and those that other systems made. The latter are
// verified as they are until the first sign-in replaces them (ADR 086).

/** Why a hash is not accepted. */
export type HashProblem =
  | 'hash_unknown'
  /** A known prefix, and something else behind it. */
  | 'hash_malformed'
  /** It would take so long to compare that a few sign-ins could stop the server. */
  | 'hash_too_costly'
  /** MD5, SHA-1 or bare SHA-2: whoever steals a copy can read most passwords within hours. */
  | 'hash_too_weak'
  /** A hash of Firebase without the parameters of its project. */
  | 'hash_parameters_missing';

/** Whether the hash was made of this password. */
type HashCheck = (password: string) => Promise<boolean>;

/** The parameters of a Firebase project, which it shows beside the export of its users. */
export interface FirebaseParameters {
  signerKey: string;
  saltSeparator: string;
  rounds: number;
  memCost: number;
}

const bcryptCostMax = 14;
const memoryBytesMax = 64 * 1024 * 1024;
/** How often Argon2 and scrypt may go through their memory. */
const passesMax = 10;
const pbkdf2RoundsMax = 2_000_000;
const hashBytesMin = 16;
const hashBytesMax = 64;

interface Form {
  prefix: RegExp;
  whole: RegExp;
  read(fields: readonly string[], stored: string): HashCheck | HashProblem;
}

const forms: readonly Form[] = [
  {
    prefix: /^\$argon2id?\$/,
    whole: /^\$argon2id?\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,3})\$([\w+/]+)\$([\w+/]+)$/,
    read: ([memory, passes, lanes, salt = '', hash = ''], stored) => {
      const [kibibytes, times, threads] = [Number(memory), Number(passes), Number(lanes)];
      if (isTooCostly({ bytes: kibibytes * 1024, passes: times })) return 'hash_too_costly';
      const isWhole = threads > 0 && kibibytes >= 8 * threads && times > 0;
      const isUsable = isWhole && bytesOf(salt).length >= 8 && isOfUsualSize(bytesOf(hash));
      return isUsable ? (password) => verifyArgon2(stored, password) : 'hash_malformed';
    },
  },
  {
    prefix: /^\$2[aby]\$/,
    whole: /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/,
    read: ([cost], stored) => {
      if (Number(cost) > bcryptCostMax) return 'hash_too_costly';
      if (Number(cost) < 4) return 'hash_malformed';
      // PHP calls `$2y$` what OpenBSD calls `$2b$`.
      const sameHash = stored.replace(/^\$2.\$/, '$2b$');
      return (password) => verifyBcrypt(password, sameHash);
    },
  },
  {
    prefix: /^\$scrypt\$/,
    whole: /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,4}),p=(\d{1,4})\$([\w+/]+)\$([\w+/]+)$/,
    read: ([log, blocks, lanes, salt = '', hash = '']) => {
      const cost = { log: Number(log), blocks: Number(blocks), lanes: Number(lanes) };
      const [wanted, saltBytes] = [bytesOf(hash), bytesOf(salt)];
      const problem = problemOfScrypt(cost) ?? problemOfSize(wanted);
      return (
        problem ??
        (async (password) =>
          isEqual(await scryptKey(password, saltBytes, cost, wanted.length), wanted))
      );
    },
  },
  {
    prefix: /^\$pbkdf2-sha(256|512)\$/,
    // Passlib writes the rounds alone, others `i=` and `l=`.
    whole: /^\$pbkdf2-(sha256|sha512)\$(?:i=)?(\d{1,9})(?:,l=\d{1,3})?\$([\w+/.]+)\$([\w+/.]+)$/,
    read: ([digest = '', rounds, salt = '', hash = '']) =>
      pbkdf2Check({ digest, rounds: Number(rounds), salt: bytesOf(salt), wanted: bytesOf(hash) }),
  },
  {
    // Django, which uses the letters of the salt as its bytes.
    prefix: /^pbkdf2_sha256\$/,
    whole: /^pbkdf2_(sha256)\$(\d{1,9})\$([^$]{1,128})\$([\w+/]+=*)$/,
    read: ([digest = '', rounds, salt = '', hash = '']) => {
      const saltBytes = Buffer.from(salt);
      const wanted = bytesOf(hash);
      return pbkdf2Check({ digest, rounds: Number(rounds), salt: saltBytes, wanted });
    },
  },
  {
    prefix: /^\$firebase-scrypt\$ln=/,
    whole: /^\$firebase-scrypt\$ln=(\d{1,2}),r=(\d{1,4})\$([\w+/]+)\$([\w+/]+)\$([\w+/]+)$/,
    read: ([log, blocks, salt = '', signerDigest = '', hash = '']) => {
      const cost = { log: Number(log), blocks: Number(blocks), lanes: 1 };
      const [saltBytes, wanted, encrypted] = [salt, signerDigest, hash].map(bytesOf) as [
        Buffer,
        Buffer,
        Buffer,
      ]; // as: a list of three, mapped
      const problem = problemOfScrypt(cost) ?? problemOfSize(wanted) ?? problemOfSize(encrypted);
      return (
        problem ??
        (async (password) => {
          const key = await scryptKey(password, saltBytes, cost, 32);
          return isEqual(sha256(decrypt(key, encrypted)), wanted);
        })
      );
    },
  },
];

const weakForms: readonly RegExp[] = [
  // In hexadecimal, alone or with a salt behind it.
  /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})(?::.{1,128})?$/i,
  /^\{(?:S?MD5|S?SHA\d*)\}/i,
  /^\$(?:1|apr1)\$/,
  /^(?:unsalted_)?(?:md5|sha1|sha224|sha256|sha384|sha512)\$/i,
];

/** The check of a stored hash, or why there is none. */
export function readHash(stored: string): HashCheck | HashProblem {
  const form = forms.find(({ prefix }) => prefix.test(stored));
  if (form === undefined) {
    if (stored.startsWith(firebasePrefix)) return 'hash_parameters_missing';
    return weakForms.some((weak) => weak.test(stored)) ? 'hash_too_weak' : 'hash_unknown';
  }
  const found = form.whole.exec(stored);
  return found === null ? 'hash_malformed' : form.read(found.slice(1), stored);
}

const firebasePrefix = '$firebase-scrypt$';

/**
 * The hash as it is stored. Firebase exports salt and hash of a user alone, so the parameters of the
 * project are added. Of its key only a digest is stored, because the key opens other projects' copies.
 */
export function storedForm(
  written: string,
  firebase: FirebaseParameters | undefined,
): { hash: string } | { problem: HashProblem } {
  if (!written.startsWith(firebasePrefix)) return checked(written);
  if (firebase === undefined) return { problem: 'hash_parameters_missing' };
  const [, salt, hash] = /^\$firebase-scrypt\$([\w+/=-]+)\$([\w+/=-]+)$/.exec(written) ?? [];
  if (salt === undefined || hash === undefined) return { problem: 'hash_malformed' };
  const wholeSalt = Buffer.concat([bytesOf(salt), bytesOf(firebase.saltSeparator)]);
  const signerDigest = sha256(bytesOf(firebase.signerKey));
  const parts = [wholeSalt, signerDigest, bytesOf(hash)].map(toText);
  const { memCost, rounds } = firebase;
  return checked(`${firebasePrefix}ln=${memCost},r=${rounds}$${parts.join('$')}`);
}

function checked(hash: string): { hash: string } | { problem: HashProblem } {
  const read = readHash(hash);
  return typeof read === 'string' ? { problem: read } : { hash };
}

interface ScryptCost {
  log: number;
  blocks: number;
  lanes: number;
}

const scryptBytes = ({ log, blocks }: ScryptCost) => 128 * blocks * 2 ** log;

function problemOfScrypt(cost: ScryptCost): HashProblem | undefined {
  if (isTooCostly({ bytes: scryptBytes(cost), passes: cost.lanes })) return 'hash_too_costly';
  return cost.log > 0 && cost.blocks > 0 && cost.lanes > 0 ? undefined : 'hash_malformed';
}

const isTooCostly = ({ bytes, passes }: { bytes: number; passes: number }) =>
  bytes > memoryBytesMax || bytes * passes > memoryBytesMax * passesMax;

async function scryptKey(password: string, salt: Buffer, cost: ScryptCost, length: number) {
  const { blocks: r, lanes: p } = cost;
  const maxmem = scryptBytes(cost) + 128 * r * p + 1024 * 1024;
  const options = { N: 2 ** cost.log, r, p, maxmem };
  return await new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, length, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

const pbkdf2Key = promisify(pbkdf2);

function pbkdf2Check(of: {
  digest: string;
  rounds: number;
  salt: Buffer;
  wanted: Buffer;
}): HashCheck | HashProblem {
  const { digest, rounds, salt, wanted } = of;
  const blocks = Math.ceil(wanted.length / (digest === 'sha512' ? 64 : 32));
  if (rounds * blocks > pbkdf2RoundsMax) return 'hash_too_costly';
  const problem = rounds > 0 ? problemOfSize(wanted) : 'hash_malformed';
  return (
    problem ??
    (async (password) =>
      isEqual(await pbkdf2Key(password, salt, rounds, wanted.length, digest), wanted))
  );
}

/** An empty hash would equal that of any password. */
const isOfUsualSize = ({ length }: Buffer) => length >= hashBytesMin && length <= hashBytesMax;
const problemOfSize = (hash: Buffer): HashProblem | undefined =>
  isOfUsualSize(hash) ? undefined : 'hash_malformed';

/** Reads the alphabets of PHC strings, of Passlib (with a dot) and of URLs, with or without padding. */
const bytesOf = (text: string) => Buffer.from(text.replaceAll('.', '+'), 'base64');
const toText = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
const isEqual = (one: Buffer, other: Buffer) =>
  one.length === other.length && timingSafeEqual(one, other);

/** Firebase encrypts the key of the project with a key that is derived from the password. */
function decrypt(key: Buffer, encrypted: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-ctr', key, Buffer.alloc(16));
  return Buffer.concat([decipher.update(encrypted), decipher.final()]);
}
