import { endpoints } from '@pointgate/contract/endpoints.ts';
import {
  commonRefusals,
  type ErrorCode,
  errorCodes,
  playerRefusals,
} from '@pointgate/contract/errors.ts';

/** docs/errors.md: every code with its meaning and the calls that return it. */
export function errorsPage(): string {
  const rows = Object.entries(errorCodes).map(([code, { status, meaning }]) => {
    const calls = callsGiving(code as ErrorCode); // as: entries() forgets its keys
    return `| \`${code}\` | ${status} | ${meaning} | ${calls} |`;
  });
  return [
    '# Error codes',
    '',
    'Generated from `contract/src/errors.ts`; change it there and run `npm run docs`.',
    '',
    'A refusal by the rules is HTTP 200 with `isSuccess: false` and a code, an ended login is HTTP 203,',
    'and a request that is not even well-formed carries `InvalidParams` with HTTP 400.',
    '',
    '| code | HTTP | meaning | given by |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function callsGiving(code: ErrorCode): string {
  if (commonRefusals.some((common) => common === code)) return 'any call';
  if (playerRefusals.some((player) => player === code)) return 'any call of a player';
  const paths = endpoints.filter(({ refusals }) => refusals.includes(code)).map(({ path }) => path);
  return paths.length === 0 ? 'none yet' : paths.map((path) => `\`${path}\``).join(', ');
}
