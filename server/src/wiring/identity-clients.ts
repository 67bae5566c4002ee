import type { z } from 'zod';
import { type IdentitySetting, identityProviders } from '../people/identity/providers.ts';
import { jsonOf } from './json-setting.ts';

type Setting = z.ZodOptional<z.ZodType<unknown>>;

/** Our clients at identity providers; a sign-in method without its client is not offered. */
export const identitySettings = Object.fromEntries(
  identityProviders.map(({ setting, client }): [IdentitySetting, Setting] => [
    setting,
    jsonOf(client).optional(),
  ]),
) as Record<IdentitySetting, Setting>; // as: an entry for each provider

/** Settings that replace a provider's own host, for development. */
export function providersElsewhere(
  config: Readonly<Partial<Record<IdentitySetting, unknown>>>,
): string[][] {
  return identityProviders
    .filter(({ setting }) => config[setting] !== undefined)
    .flatMap(({ setting, replacedHosts }) =>
      replacedHosts(config[setting]).map((path) => [setting, ...path]),
    );
}
