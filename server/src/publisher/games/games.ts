import {
  type GameCallName,
  type GameRefusal,
  gameCalls,
  gameSignatureHeader,
} from '@pointgate/contract/game-calls.ts';
import type * as z from 'zod/mini';
import { log } from '../../platform/log.ts';
import { callOut, OutboundFailure } from '../../platform/outbound.ts';
import { isStorableText } from '../../platform/text.ts';
import { signatureOf } from './game-signature.ts';

/** Where a game is reached, and the secret that signs calls to it. */
export interface GameAddress {
  gameId: string;
  apiUrl: string;
}

export interface GameRole {
  roleId: string;
  name: string;
  level: number;
}

/** Who gets what, in the game's own names. */
export interface Recharge {
  paymentId: string;
  serverId: string;
  roleId: string;
  gameAccountId: string;
  items: { sku: string; quantity: number }[];
}

/** Once an order is paid, whether it was with play money; until then the shop says what it takes. */
interface Paid {
  isSandbox: boolean;
}

/** `unknown` is no answer we can read. Only where nobody was there is it certain that nothing was done. */
type Unknown = { result: 'unknown'; cause: string; mayHaveActed: boolean };

/** The game's side of a top-up. Every call may be repeated: the game knows it by its payment id. */
export interface Games {
  rolesOf(
    game: GameAddress,
    player: { serverId: string; gameAccountId: string },
  ): Promise<{ result: 'ok'; roles: GameRole[] } | Unknown>;
  validate(
    game: GameAddress,
    recharge: Recharge,
    paid?: Paid,
  ): Promise<{ result: 'ok' } | { result: 'refused'; reason: GameRefusal } | Unknown>;
  deliver(
    game: GameAddress,
    recharge: Recharge,
    paid?: Paid,
  ): Promise<{ result: 'delivered' } | { result: 'declined'; reason: GameRefusal } | Unknown>;
  /** Takes back what was given for an order, and makes the game refuse to give it later. */
  revoke(
    game: GameAddress,
    revocation: { paymentId: string; reason: string },
    paid?: Paid,
  ): Promise<{ result: 'revoked' | 'already_revoked' | 'not_found' } | Unknown>;
}

export interface GamesOptions {
  /** For each game, its live secrets; the first one signs. */
  secrets: Readonly<Record<string, readonly string[]>>;
  /** Whether the shop takes play money at all. Told to the game, so that it never mistakes a test for real. */
  isSandbox: boolean;
}

export function openGames({ secrets, ...shop }: GamesOptions): Games {
  const ask = async <Name extends GameCallName>(
    game: GameAddress,
    name: Name,
    asked: Omit<z.output<(typeof gameCalls)[Name]['request']>, 'sandbox'>,
    { isSandbox }: Paid = shop,
  ): Promise<{ answer: z.output<(typeof gameCalls)[Name]['reply']> } | Unknown> => {
    const call = gameCalls[name];
    const [secret] = secrets[game.gameId] ?? [];
    if (secret === undefined) return { ...unclear('no secret is configured'), mayHaveActed: false };
    const body = JSON.stringify({ sandbox: isSandbox, ...asked });
    try {
      const reply = await callOut({
        url: `${game.apiUrl}/${name}`,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [gameSignatureHeader]: signatureOf(secret, body),
        },
        body,
        timeoutMs: call.timeoutMs,
      });
      if (reply.status !== 200) return unclear(`HTTP ${reply.status}`);
      const said = readJson(reply.body);
      const parsed = call.reply.safeParse(said);
      return parsed.success && isStorableText(said)
        ? { answer: parsed.data as z.output<(typeof gameCalls)[Name]['reply']> } // as: parsed by it
        : unclear('a reply outside the contract');
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      log.warn({ call: name, gameId: game.gameId, cause: error.message }, 'no answer');
      return { ...unclear('no answer'), mayHaveActed: !error.wasNeverSent };
    }
  };

  return {
    rolesOf: async (game, player) => {
      const asked = await ask(game, 'roles.query', { gameId: game.gameId, ...player });
      return 'answer' in asked ? { result: 'ok', roles: asked.answer.roles } : asked;
    },
    validate: async (game, recharge, paid) => {
      const asked = await ask(
        game,
        'recharge.validate',
        { gameId: game.gameId, ...recharge },
        paid,
      );
      return 'answer' in asked ? asked.answer : asked;
    },
    deliver: async (game, recharge, paid) => {
      const asked = await ask(game, 'recharge.deliver', { gameId: game.gameId, ...recharge }, paid);
      if (!('answer' in asked)) return asked;
      return asked.answer.result === 'declined' ? asked.answer : { result: 'delivered' };
    },
    revoke: async (game, revocation, paid) => {
      const asked = await ask(game, 'recharge.revoke', revocation, paid);
      return 'answer' in asked ? asked.answer : asked;
    },
  };
}

function unclear(cause: string): Unknown {
  return { result: 'unknown', cause, mayHaveActed: true };
}

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
