import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';

const ChoiceRow = z.object({
  game_account_id: z.string().nullable(),
  server_id: z.string(),
  role_id: z.string(),
  role_name: z.string(),
  role_level: z.int(),
});

export function selectChoice(db: Db, key: { accountId: string; gameId: string }) {
  return db.maybeOne(
    ChoiceRow,
    sql`
      select game_account_id, server_id, role_id, role_name, role_level from character_choices
      where account_id = ${key.accountId} and game_id = ${key.gameId}`,
  );
}

export async function upsertChoice(
  tx: Tx,
  choice: {
    accountId: string;
    gameId: string;
    gameAccountId: string;
    serverId: string;
    roleId: string;
    roleName: string;
    roleLevel: number;
  },
): Promise<void> {
  await tx.run(sql`
    insert into character_choices (account_id, game_id, game_account_id, server_id, role_id,
                                   role_name, role_level)
    values (${choice.accountId}, ${choice.gameId}, ${choice.gameAccountId}, ${choice.serverId},
            ${choice.roleId}, ${choice.roleName}, ${choice.roleLevel})
    on conflict (account_id, game_id) do update
    set game_account_id = excluded.game_account_id,
        server_id = excluded.server_id, role_id = excluded.role_id, role_name = excluded.role_name,
        role_level = excluded.role_level, chosen_at = now()`);
}
