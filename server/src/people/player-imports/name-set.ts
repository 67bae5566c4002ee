import { hash } from 'node:crypto';

/** Grows at this share of used slots. */
const fullness = 0.7;

/**
 * A set of millions of texts in 8 bytes each: it keeps 64 bits of their hashes. Two of six million
 * texts have the same bits in one of a million files.
 */
export function openNameSet(slotsAtFirst = 1 << 16): { add(name: string): boolean } {
  // Two numbers in each slot; both are 0 in a free one.
  let slots = new Uint32Array(slotsAtFirst * 2);
  let used = 0;
  /** The index of these two numbers, or of the free slot where they belong. */
  const indexOf = (table: Uint32Array, one: number, other: number): number => {
    let index = (one * 2) % table.length;
    const isOther = () => table[index] !== one || table[index + 1] !== other;
    const isFree = () => table[index] === 0 && table[index + 1] === 0;
    while (isOther() && !isFree()) index = (index + 2) % table.length;
    return index;
  };
  const put = (table: Uint32Array, one: number, other: number) => {
    const index = indexOf(table, one, other);
    const isNew = table[index] !== one || table[index + 1] !== other;
    table[index] = one;
    table[index + 1] = other;
    return isNew;
  };
  const grow = () => {
    const larger = new Uint32Array(slots.length * 2);
    for (let index = 0; index < slots.length; index += 2) {
      const [one = 0, other = 0] = slots.subarray(index, index + 2);
      if (one !== 0 || other !== 0) put(larger, one, other);
    }
    slots = larger;
  };
  return {
    /** False if the name was added before. */
    add: (name) => {
      const digest = hash('sha256', name, 'buffer');
      const isNew = put(slots, digest.readUInt32LE(0), digest.readUInt32LE(4) || 1);
      if (isNew) used += 1;
      if (used * 2 > slots.length * fullness) grow();
      return isNew;
    },
  };
}
