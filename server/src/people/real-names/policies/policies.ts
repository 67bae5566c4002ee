import { AppError } from '../../../platform/errors.ts';
import { china } from './china.ts';
import { korea } from './korea.ts';
import type { PolicyPack } from './policy.ts';

const none: PolicyPack = { timeZone: 'UTC', currency: 'USD', needsRealName: false, bands: [] };

const packs = new Map<string, PolicyPack>([
  ['none', none],
  ['china', china],
  ['korea', korea],
]);

export const policyPackNames: readonly string[] = [...packs.keys()];

export function isPolicyPack(name: string): boolean {
  return packs.has(name);
}

/** Throws for an unknown name: a site must not sell without rules because of a typo. */
export function policyPack(name: string): PolicyPack {
  const pack = packs.get(name);
  if (pack === undefined) throw new AppError('SiteUnavailable');
  return pack;
}
