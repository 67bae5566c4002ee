const depthMax = 8;
/** Valid event texts are never longer, and scanning longer ones would cost too much. */
const textMax = 512;

const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi;
const time = /\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/g;

const privateLooks = [
  /[^\s@]@[^\s@]+\.[^\s@]/, // a mail address
  /eyJ[\w-]{5,}\.[\w-]*/, // the first two parts of a JWT or JWE
  /tk_[\w-]{16,}/, // a ticket of ours
  /\d(?:[\s().-]{0,2}\d){7,}/, // a phone number, an identity number, an address of a network
  /[\da-f]{32,}/i, // a token in hexadecimal digits
  /(?=[\w-]*\d)(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{20,}/, // a token or an open id
];

/**
 * Whether a value contains something like personal data or a credential. Errs on the side of yes,
 * because a lost event only makes a count one too small.
 */
export function looksPrivate(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isPrivateText(value);
  // Event counts and durations never have ten digits, but phone numbers do.
  if (typeof value === 'number') return Math.abs(value) >= 1_000_000_000;
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= depthMax) return true;
  return Object.entries(value).some(
    ([key, inner]) => isPrivateText(key) || looksPrivate(inner, depth + 1),
  );
}

function isPrivateText(text: string): boolean {
  if (text.length > textMax) return true;
  // NFKC turns full-width digits into digits. Ids and times are replaced by a mark, so that the
  // digits around them do not join.
  const plain = decoded(text).normalize('NFKC').replace(uuid, '|').replace(time, '|');
  return privateLooks.some((look) => look.test(plain));
}

/** URLs encode @ as %40. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replaceAll('%40', '@');
  }
}
