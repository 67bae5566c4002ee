/** `CN`, or a part of it as `CN-HB`. ISO counts three more as its parts, which have other numbers. */
export function isMainlandChina(region: string | null): boolean {
  return region !== null && /^CN(?!-(?:HK|MO|TW)$)(?:-|$)/.test(region);
}

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const checkSigns = '10X98765432';

/**
 * The birthday in a number of mainland China: six digits of a place, the birthday, three to tell people
 * apart, and a sign that checks the others. Nothing where it is none. The place is not looked at, because
 * those who live there and were born elsewhere have numbers of the same form.
 */
export function birthdayInNumber(identityNumber: string): string | undefined {
  if (!/^\d{17}[\dX]$/.test(identityNumber)) return undefined;
  const sum = weights.reduce(
    (total, weight, index) => total + weight * Number(identityNumber[index]),
    0,
  );
  if (identityNumber[17] !== checkSigns[sum % 11]) return undefined;
  const [year, month, day] = [
    identityNumber.slice(6, 10),
    identityNumber.slice(10, 12),
    identityNumber.slice(12, 14),
  ];
  const birthday = `${year}-${month}-${day}`;
  const time = new Date(`${birthday}T00:00:00Z`);
  const isDay = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(birthday);
  return isDay ? birthday : undefined;
}
