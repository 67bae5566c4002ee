/** A hash, as SQL, that starts with a number and goes on with each text. */
export function hash(start: string, ...texts: string[]): string {
  return texts.reduce((inner, text) => `hashtextextended(${text}, ${inner})`, start);
}

/** The same of numbers, which take half as long as their texts. */
export function hashNumbers(start: string, ...numbers: string[]): string {
  return numbers.reduce((inner, number) => `hashint8extended(${number}, ${inner})`, start);
}
