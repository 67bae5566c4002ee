import * as z from 'zod/mini';
import { environmentOf } from './environment.ts';

/** `app` is a page inside a game or another app. */
export const browsers = [
  'chrome',
  'edge',
  'firefox',
  'safari',
  'opera',
  'samsung',
  'wechat',
  'app',
] as const;

export const deviceSystems = ['windows', 'macos', 'linux', 'chromeos', 'ios', 'android'] as const;

/**
 * Browser and system for display. It distinguishes a phone from a computer, not two similar
 * devices.
 */
export const Device = z.strictObject({
  browser: z.nullable(z.enum(browsers)),
  system: z.nullable(z.enum(deviceSystems)),
});
export type Device = z.output<typeof Device>;

// In order of precedence: each of these browsers also contains the name of the one it is based on.
const browserNames: [RegExp, Device['browser']][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'edge'],
  [/\bOPR\/|\bOPT\/|\bOpera\b/, 'opera'],
  [/SamsungBrowser\//, 'samsung'],
  [/\bFirefox\/|\bFxiOS\//, 'firefox'],
  [/Chrom(?:e|ium)\/|\bCriOS\//, 'chrome'],
  [/\bSafari\//, 'safari'],
];

const systemNames: [RegExp, Device['system']][] = [
  [/iPhone|iPad|iPod/, 'ios'],
  [/Android/, 'android'],
  [/Windows/, 'windows'],
  [/Macintosh/, 'macos'],
  [/\bCrOS\b/, 'chromeos'],
  [/Linux/, 'linux'],
];

/** Browser and system of a user agent. A tablet that requests desktop pages counts as a Mac. */
export function deviceOf(userAgent: string): Device {
  const { host } = environmentOf({ userAgent, maxTouchPoints: 0 });
  const system = firstOf(systemNames, userAgent);
  if (host === 'wechat') return { browser: 'wechat', system };
  if (host === 'webview') return { browser: 'app', system };
  return { browser: firstOf(browserNames, userAgent), system };
}

function firstOf<Name>(names: readonly [RegExp, Name][], userAgent: string): Name | null {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
}
