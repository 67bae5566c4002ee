import { encryptionKeys, login } from '@pointgate/contract/accounts.ts';
import { roleList } from '@pointgate/contract/characters.ts';
import type { createOrder } from '@pointgate/contract/orders.ts';
import type { z } from 'zod/mini';
import { post } from './call.ts';
import type { Random } from './random.ts';
import { seal } from './seal.ts';
import { type Caller, callOrThrow, type Shop } from './shop.ts';

/** A signed-in player with a role to buy for. */
export interface Player extends Caller {
  name: string;
  accountId: string;
  gameAccountId: string;
  /** The receiver of a pack. */
  receiver: Pick<z.input<typeof createOrder.body>, 'gameId' | 'serverId' | 'roleId' | 'system'>;
}

// A player of the demo; new players get the same password hash and so the same password.
const model = { loginName: 'aveline', password: 'Dawn-58-reach' };
const gameId = 'solmere';
const serverId = 's12';

/** Creates players with accounts and random generators of their own. */
export async function givenPlayers(shop: Shop, count: number, random: Random): Promise<Player[]> {
  const names = Array.from({ length: count }, (_, index) => `drill-${index + 1}`);
  const accounts = await shop.query<{ name: string; id: string }>(openAccounts, [
    model.loginName,
    names,
    gameId,
  ]);
  return await Promise.all(
    accounts.map(async ({ name, id }) => {
      const cookie = await signIn(shop, { loginName: name, password: model.password });
      const caller = { apis: shop.stack.apis, cookie, random: random.fork(name) };
      const { roles } = await callOrThrow(caller, roleList, { gameId, serverId });
      const [role] = roles;
      if (role === undefined) throw new Error('The game has no role.');
      const receiver = { gameId, serverId, roleId: role.roleId, system: 'android' as const };
      return { ...caller, name, accountId: id, gameAccountId: `ga_${name}`, receiver };
    }),
  );
}

const openAccounts = `
  with opened as (
    insert into accounts (id, account_type, display_name)
    select uuidv7(), 'ACCOUNT', name from unnest($2::text[]) as name
    returning id, display_name as name
  ), named as (
    insert into identities (account_type, subject, account_id, password_hash)
    select 'ACCOUNT', name, id, password_hash from opened, identities
    where account_type = 'ACCOUNT' and subject = $1
  ), bound as (
    insert into game_accounts (account_id, game_id, game_account_id)
    select id, $3, 'ga_' || name from opened
  )
  select name, id from opened order by id`;

async function signIn(
  { stack }: Shop,
  credentials: { loginName: string; password: string },
): Promise<string> {
  const { api } = stack;
  const published = await post({ api, endpoint: encryptionKeys, body: {} });
  const [key] = encryptionKeys.reply.parse(published.envelope.data).keys;
  if (key === undefined) throw new Error('The shop has no key.');
  const data = seal(
    { method: 'LOGIN_NAME_PASSWD_AUTH', ...credentials },
    { key, path: login.path },
  );
  const { cookie, text } = await post({ api, endpoint: login, body: { data } });
  if (cookie === undefined) throw new Error(`${credentials.loginName} cannot sign in: ${text}`);
  return cookie;
}
