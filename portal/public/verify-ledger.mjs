// Checks an E Point ledger that you downloaded, without asking the shop:
//
//   node verify-ledger.mjs ledger.txt      or      deno run --allow-read verify-ledger.mjs ledger.txt
//
// Every entry carries a hash of itself and of the hash before it, and the first one of your account
// id. So no entry can be changed, removed, added or moved without changing every hash after it, up
// to the head. Keep your files: a later one must contain the hashes of all earlier ones.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import process from 'node:process';

const title = 'pointgate ledger 1';
const columns = 'seq|at|kind|origin|posting|basic|present|basic after|present after|lots|hash';

try {
  const [path] = process.argv.slice(2);
  if (path === undefined) throw new Error('Say which file to check: verify-ledger.mjs ledger.txt');
  console.log(verify(readFileSync(path, 'utf8')));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function verify(text) {
  const [first, account, made, entries, head, names, ...rest] = text.replaceAll('\r\n', '\n').split('\n');
  if (first !== title || names !== columns || rest.pop() !== '') {
    throw new Error('This is not a whole ledger file of version 1.');
  }
  const accountId = valueOf(account, 'account');
  const count = Number(valueOf(entries, 'entries'));
  if (rest.length !== count) {
    throw new Error(`The file says it has ${count} entries, but there are ${rest.length}.`);
  }
  let last = { hash: sha256(accountId), basic: 0n, present: 0n };
  rest.forEach((line, index) => {
    last = follow(last, line, index + 1);
  });
  if (last.hash !== valueOf(head, 'head')) {
    throw new Error('The head of the file is not the hash of its last entry.');
  }
  return `The ledger of account ${accountId}, made ${valueOf(made, 'made')}, is whole: ${count} entries, \
${last.basic} basic and ${last.present} present points, head ${last.hash}.`;
}

/** The state after an entry, if the entry follows from the state before. */
function follow(before, line, seq) {
  const cut = line.lastIndexOf('|');
  const [written, hash] = [line.slice(0, cut), line.slice(cut + 1)];
  if (sha256(`${before.hash}\n${written}`) !== hash) {
    throw new Error(`Entry ${seq} is not what was written, or does not follow the one before it.`);
  }
  const fields = written.split('|');
  if (fields.length !== 10) throw new Error(`Entry ${seq} is not an entry.`);
  const [basicChange, presentChange, basic, present] = fields.slice(5, 9).map(BigInt);
  const lots = fields[9].split(',').filter((draw) => draw !== '');
  const drawn = lots.reduce((sum, draw) => sum + BigInt(draw.split(':')[1]), 0n);
  const inLots = (wallet) => (wallet.basic > 0n ? wallet.basic : 0n) + wallet.present;
  const addsUp =
    Number(fields[0]) === seq &&
    basic === before.basic + basicChange &&
    present === before.present + presentChange &&
    // A debt is in no lot, so only positive balances count.
    drawn === inLots({ basic, present }) - inLots(before);
  if (!addsUp) throw new Error(`The numbers of entry ${seq} do not add up.`);
  return { hash, basic, present };
}

function valueOf(line, name) {
  if (!line.startsWith(`${name} `)) throw new Error(`The file does not say its ${name}.`);
  return line.slice(name.length + 1);
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}
