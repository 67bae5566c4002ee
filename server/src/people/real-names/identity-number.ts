/**
 * `CN`, or a province such as `CN-HB`. Hong Kong, Macao and Taiwan, which ISO lists too, have other
 * numbers.
 */
export function isMainlandChina(region: string | null): boolean {
  return region !== null && /^CN(?!-(?:HK|MO|TW)$)(?:-|$)/.test(region);
}

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const checkSigns = '10X98765432';

/**
 * The birthday in an identity number of mainland China: six digits of the place, the birthday,
 * three digits of sequence and a check character. Undefined for an invalid number. The place is not
 * checked, because residents born elsewhere have numbers of the same form.
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
