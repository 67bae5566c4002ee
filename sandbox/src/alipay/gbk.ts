/** The letters of the encoding that bills are written in, and the bytes that each is. */
let table: ReadonlyMap<string, readonly number[]> | undefined;

/** Text as bytes of GBK; a letter that it does not have becomes a question mark. */
export function gbkBytes(text: string): Buffer {
  table ??= makeTable();
  const letters = table;
  return Buffer.from(
    [...text].flatMap((letter) =>
      letter.charCodeAt(0) < 0x80 ? [letter.charCodeAt(0)] : (letters.get(letter) ?? [0x3f]),
    ),
  );
}

/** The platform only decodes it, so each pair of bytes is decoded once. */
function makeTable(): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder('gbk');
  const letters = new Map<string, readonly number[]>();
  for (let first = 0x81; first <= 0xfe; first += 1) {
    for (let second = 0x40; second <= 0xfe; second += 1) {
      if (second === 0x7f) continue;
      const letter = decoder.decode(Uint8Array.of(first, second));
      if ([...letter].length === 1 && letter !== '\uFFFD') letters.set(letter, [first, second]);
    }
  }
  return letters;
}
