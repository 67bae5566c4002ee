import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Also for values such as a birthday, of which any part would reveal too much. */
export const hidden = '***';

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Splits by grapheme cluster, so that no emoji is cut in half. */
function signsOf(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** `张*丰`: the first and last grapheme; of two graphemes the first, of one none. */
export function maskName(name: string): string {
  const [first = '', ...rest] = signsOf(name.trim());
  const last = rest.pop();
  if (last === undefined) return '*';
  return rest.length === 0 ? `${first}*` : first + '*'.repeat(rest.length) + last;
}

/** `p***@example.com`. A local part of one character is hidden completely. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 0) return hidden;
  const [first = '', ...rest] = signsOf(email.slice(0, at));
  return (rest.length === 0 ? '' : first) + hidden + email.slice(at);
}

// In a shorter number the two ends would reveal too much.
const identityNumberMin = 6;

/** `1****************8`. */
export function maskIdentityNumber(identityNumber: string): string {
  const signs = signsOf(identityNumber);
  if (signs.length < identityNumberMin) return '*'.repeat(signs.length);
  return `${signs.at(0)}${'*'.repeat(signs.length - 2)}${signs.at(-1)}`;
}

/** `+86 ********000`: the country code, and at most a third of the rest. */
export function maskPhone(phone: string): string {
  const parsed = parsePhoneNumberFromString(phone);
  if (parsed === undefined) return hidden;
  const { countryCallingCode, nationalNumber } = parsed;
  const shownCount = Math.min(4, Math.floor(nationalNumber.length / 3));
  const hiddenCount = nationalNumber.length - shownCount;
  return `+${countryCallingCode} ${'*'.repeat(hiddenCount)}${nationalNumber.slice(hiddenCount)}`;
}
