import type { Role } from './role.ts';

/** By server. */
type Roles = Readonly<Record<string, readonly Role[]>>;

/** The roles of the demo's players, whose game accounts differ from game to game. */
export const demoRoles: ReadonlyMap<string, Roles> = new Map([
  [
    'ga_aveline',
    {
      s12: [
        { roleId: 'r_aveline', name: 'Aveline', level: 58 },
        { roleId: 'r_corvin', name: 'Corvin', level: 23 },
      ],
    },
  ],
  [
    'ga_kaito',
    {
      s12: [{ roleId: 'r_kaito', name: 'Kaito', level: 41 }],
      s7: [{ roleId: 'r_kaito7', name: 'Kaito Prime', level: 12 }],
    },
  ],
  [
    'lc_aveline',
    {
      lc8: [
        { roleId: 'lc_r1', name: 'Lady Aveline', level: 44 },
        { roleId: 'lc_r2', name: 'Ink Heron', level: 17 },
      ],
      lc3: [{ roleId: 'lc_r3', name: 'Moon Sparrow', level: 8 }],
    },
  ],
  [
    'lc_kaito',
    {
      lc8: [{ roleId: 'lc_r4', name: 'Kaito of the Gate', level: 31 }],
      lc5: [{ roleId: 'lc_r5', name: 'Brushblade', level: 9 }],
    },
  ],
  [
    'na_aveline',
    {
      na9: [{ roleId: 'na_r1', name: 'AVLN', level: 26 }],
      na6: [{ roleId: 'na_r2', name: 'Redline', level: 12 }],
    },
  ],
  ['na_kaito', { na9: [{ roleId: 'na_r3', name: 'K4ITO', level: 52 }] }],
  ['iv_aveline', { iv7: [{ roleId: 'iv_r1', name: 'Commander Aveline', level: 33 }] }],
  [
    'iv_kaito',
    {
      iv7: [{ roleId: 'iv_r2', name: 'Marshal Kaito', level: 47 }],
      iv5: [{ roleId: 'iv_r3', name: 'Rust Fox', level: 19 }],
    },
  ],
  [
    'pp_aveline',
    {
      pp6: [{ roleId: 'pp_r1', name: 'Aveline & Biscuit', level: 21 }],
      pp4: [{ roleId: 'pp_r2', name: 'Clover', level: 5 }],
    },
  ],
  ['pp_kaito', { pp6: [{ roleId: 'pp_r3', name: 'Kaito & Mochi', level: 15 }] }],
  [
    'bw_aveline',
    {
      bw9: [{ roleId: 'bw_r1', name: 'Captain Aveline', level: 38 }],
      bw6: [{ roleId: 'bw_r2', name: 'Nell Brass', level: 11 }],
    },
  ],
  ['bw_kaito', { bw9: [{ roleId: 'bw_r3', name: 'One-Eye Kaito', level: 29 }] }],
]);
