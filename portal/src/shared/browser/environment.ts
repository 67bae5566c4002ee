import { type Environment, environmentOf } from '@pointgate/contract/environment.ts';

export function currentEnvironment(): Environment {
  return environmentOf(navigator);
}
