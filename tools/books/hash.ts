/** A hash, as SQL, that starts with a number and goes on with each text. */
export function hash(start: string, ...texts: string[]): string {
  return texts.reduce((inner, text) => `hashtextextended(${text}, ${inner})`, start);
}
