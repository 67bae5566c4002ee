/** The characters of GBK with their bytes. */
let table: ReadonlyMap<string, readonly number[]> | undefined;

/** Encodes text as GBK; unknown characters become question marks. */
export function gbkBytes(text: string): Buffer {
  table ??= makeTable();
  const letters = table;
  return Buffer.from(
    [...text].flatMap((letter) =>
      letter.charCodeAt(0) < 0x80 ? [letter.charCodeAt(0)] : (letters.get(letter) ?? [0x3f]),
    ),
  );
}

/** Node can only decode GBK, so the encoding table is built by decoding every pair of bytes. */
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
