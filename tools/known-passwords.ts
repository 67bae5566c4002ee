// Writes server/data/known-passwords.txt: node tools/known-passwords.ts
//
// The list contains common password patterns made from words, years and keyboard rows. It is not
// copied from leaked data, and is much shorter than such lists.
import { writeFileSync } from 'node:fs';
import { isPasswordWellFormed } from '@pointgate/contract/passwords.ts';

const words = `
password passwort welcome letmein iloveyou admin administrator login master dragon monkey shadow
sunshine princess football baseball superman batman pokemon naruto qwerty qwertz azerty asdfgh zxcvbn
qazwsx abc abcd abcde abcdef test testing guest user hello secret summer winter spring autumn january
february march april june july august september october november december monday friday charlie
michael jordan jessica ashley daniel thomas andrew robert joshua matthew anthony michelle jennifer
nicole amanda hannah killer hunter ranger soccer hockey tigger ginger pepper cookie cheese banana
orange purple silver golden computer internet samsung google facebook android iphone apple starwars
matrix freedom whatever trustno mustang ferrari mercedes porsche yamaha harley player gamer gaming
minecraft fortnite roblox steam solmere omni epoint game games legend warrior wizard knight ninja
samurai angel baby love lover loveyou woaini wodemima mima zhang wang aini asd qwe zxc qaz wsx a aa
aaa q qq w x z pass passw0rd p@ssw0rd p@ssword pa$$word changeme default root toor temp oracle sakura
doraemon thailand bangkok vietnam hanoi saigon seoul korea tokyo japan taiwan taipei hongkong china
beijing shanghai berlin munich hamburg deutschland schatz hallo sommer liverpool arsenal chelsea
barcelona manchester juventus dortmund bayern`
  .trim()
  .split(/\s+/);

const endings = [
  ...['1', '12', '123', '1234', '12345', '123456', '1234567', '12345678', '123456789', '0', '00'],
  ...['01', '007', '11', '111', '1111', '22', '69', '77', '88', '99', '100', '520', '521', '666'],
  ...['777', '888', '999', '1314', '5201314', '000', '321', '4321', '!', '!!', '@', '#', '.', '*'],
  ...['1!', '12!', '123!', '1234!', '@1', '@12', '@123', '@1234', '#1', '#123', '_123', '-123'],
  ...Array.from({ length: 12 }, (_, index) => String(2015 + index)),
];

const rows = ['1qaz2wsx', '1qaz2wsx3edc', 'qwe123', 'qwe123qwe', 'zaq12wsx', 'zaq1zaq1', 'q1w2e3'];
const mixed = ['q1w2e3r4', 'q1w2e3r4t5', '1q2w3e', '1q2w3e4r', '1q2w3e4r5t', 'a1b2c3', 'a1b2c3d4'];
const others = [
  '!qaz2wsx',
  '!@#123',
  '123!@#',
  'asd123asd',
  '123qwe',
  '123qweasd',
  '123abc',
  '1a2b3c',
];

const candidates = [
  ...words.flatMap((word) => endings.map((ending) => word + ending)),
  ...words.flatMap((word) => ['1', '123', '123456', '520'].map((start) => start + word)),
  ...words,
  ...rows,
  ...mixed,
  ...others,
];
const known = [...new Set(candidates.filter(isPasswordWellFormed))].toSorted();
writeFileSync(
  new URL('../server/data/known-passwords.txt', import.meta.url),
  `${known.join('\n')}\n`,
);
