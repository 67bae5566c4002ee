/** The regions of the supported languages, listed first in the country dialog. */
export const nearRegions = ['US', 'CN', 'HK', 'TW', 'TH', 'KR', 'JP', 'VN', 'DE'] as const;

// A table instead of libphonenumber, which is larger than the rest of this page. The server
// validates numbers; here a number only gets its country code.
const table =
  'US1 CN86 HK852 TW886 TH66 KR82 JP81 VN84 DE49 ' +
  'AD376 AE971 AF93 AG1268 AI1264 AL355 AM374 AO244 AR54 AS1684 AT43 AU61 AW297 AZ994 BA387 ' +
  'BB1246 BD880 BE32 BF226 BG359 BH973 BI257 BJ229 BM1441 BN673 BO591 BR55 BS1242 BT975 BW267 ' +
  'BY375 BZ501 CA1 CD243 CF236 CG242 CH41 CI225 CK682 CL56 CM237 CO57 CR506 CU53 CV238 CW599 ' +
  'CY357 CZ420 DJ253 DK45 DM1767 DO1809 DZ213 EC593 EE372 EG20 ER291 ES34 ET251 FI358 FJ679 ' +
  'FM691 FO298 FR33 GA241 GB44 GD1473 GE995 GF594 GH233 GI350 GL299 GM220 GN224 GP590 GQ240 ' +
  'GR30 GT502 GU1671 GW245 GY592 HN504 HR385 HT509 HU36 ID62 IE353 IL972 IN91 IQ964 IR98 IS354 ' +
  'IT39 JM1876 JO962 KE254 KG996 KH855 KI686 KM269 KN1869 KW965 KY1345 KZ7 LA856 LB961 LC1758 ' +
  'LI423 LK94 LR231 LS266 LT370 LU352 LV371 LY218 MA212 MC377 MD373 ME382 MG261 MH692 MK389 ' +
  'ML223 MM95 MN976 MO853 MP1670 MQ596 MR222 MS1664 MT356 MU230 MV960 MW265 MX52 MY60 MZ258 ' +
  'NA264 NC687 NE227 NG234 NI505 NL31 NO47 NP977 NR674 NZ64 OM968 PA507 PE51 PF689 PG675 PH63 ' +
  'PK92 PL48 PM508 PR1787 PS970 PT351 PW680 PY595 QA974 RE262 RO40 RS381 RU7 RW250 SA966 SB677 ' +
  'SC248 SD249 SE46 SG65 SI386 SK421 SL232 SM378 SN221 SO252 SR597 SS211 ST239 SV503 SX1721 ' +
  'SY963 SZ268 TC1649 TD235 TG228 TJ992 TL670 TM993 TN216 TO676 TR90 TT1868 TZ255 UA380 UG256 ' +
  'UY598 UZ998 VA39 VC1784 VE58 VG1284 VI1340 VU678 WS685 XK383 YE967 YT262 ZA27 ZM260 ZW263';

export interface Country {
  region: string;
  dialCode: string;
}

export const countries: readonly Country[] = table.split(' ').map((entry) => ({
  region: entry.slice(0, 2),
  dialCode: entry.slice(2),
}));

/** The countries with their names in this language: near regions first, the others by name. */
export function namedCountries(locale: string): (Country & { name: string })[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  const named = countries.map((country) => ({
    ...country,
    name: names.of(country.region) ?? country.region,
  }));
  const far = named.slice(nearRegions.length);
  return [
    ...named.slice(0, nearRegions.length),
    ...far.toSorted((one, other) => one.name.localeCompare(other.name, locale)),
  ];
}

/** Found by name, by region or by dial code, with or without the plus. */
export function searchCountries<C extends Country & { name: string }>(
  list: readonly C[],
  typed: string,
): C[] {
  const wanted = plain(typed);
  if (wanted === '') return [...list];
  const digits = wanted.replace(/^\+/, '');
  const isNumber = /^\d+$/.test(digits);
  return list.filter(({ name, region, dialCode }) =>
    isNumber
      ? dialCode.startsWith(digits)
      : plain(name).includes(wanted) || region.toLowerCase() === wanted,
  );
}

/** Lower case without diacritics, so that osterreich finds Österreich. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .trim()
    .toLowerCase();
}
