import {
  type GameCallName,
  type GameRefusal,
  gameCalls,
  gameSignatureHeader,
} from '@pointgate/contract/game-calls.ts';
import { isStorableText } from '@pointgate/contract/storable-text.ts';
import type * as z from 'zod/mini';
import { log } from '../../platform/log.ts';
import { callOut, OutboundFailure } from '../../platform/outbound.ts';
import { signatureOf } from './game-signature.ts';

/** The API URL of a game, and the id that selects its secret. */
export interface GameAddress {
  gameId: string;
  apiUrl: string;
}

export interface GameRole {
  roleId: string;
  name: string;
  level: number;
}

/** The recipient and the items of a recharge, in the game's own ids. */
export interface Recharge {
  paymentId: string;
  serverId: string;
  roleId: string;
  gameAccountId: string;
  items: { sku: string; quantity: number }[];
}

/** Whether a paid order was paid with test money; before the payment the shop's own setting applies. */
interface Paid {
  isSandbox: boolean;
}

/** `unknown` is an unreadable or missing answer. Only a failed connection proves that the game did not act. */
type Unknown = { result: 'unknown'; cause: string; mayHaveActed: boolean };

/** The calls to a game. Every call may be repeated: its payment id identifies it. */
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
  /** Revokes the grant of an order, and makes the game decline a later delivery. */
  revoke(
    game: GameAddress,
    revocation: { paymentId: string; reason: string },
    paid?: Paid,
  ): Promise<{ result: 'revoked' | 'already_revoked' | 'not_found' } | Unknown>;
}

export interface GamesOptions {
  /** The secrets of a game in use; the first one signs. */
  secretsOf(gameId: string): Promise<readonly string[]>;
  /** Whether the shop takes test money. Sent to the game, so that it can tell tests from real payments. */
  isSandbox(): Promise<boolean>;
  /** A rehearsal knows no other money, whatever an order says. */
  isRehearsal: boolean;
}

export function openGames({ secretsOf, isRehearsal, ...shop }: GamesOptions): Games {
  const ask = async <Name extends GameCallName>(
    game: GameAddress,
    name: Name,
    asked: Omit<z.output<(typeof gameCalls)[Name]['request']>, 'sandbox'>,
    paid?: Paid,
  ): Promise<{ answer: z.output<(typeof gameCalls)[Name]['reply']> } | Unknown> => {
    const call = gameCalls[name];
    const [secret] = await secretsOf(game.gameId);
    if (secret === undefined) return { ...unclear('the game has no secret'), mayHaveActed: false };
    const isSandbox = isRehearsal || (paid?.isSandbox ?? (await shop.isSandbox()));
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
