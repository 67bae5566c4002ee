import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import { ShownText } from '../../platform/local-text.ts';
import { readRows } from '../../platform/readable-rows.ts';
import { termColumns } from './coupons.queries.ts';

const TemplateRow = z.object({
  id: z.string(),
  name: ShownText,
  ...termColumns,
  starts_at: z.date(),
  ends_at: z.date().nullable(),
  live_days: z.int().nullable(),
  per_account_max: z.int(),
});
export type TemplateRow = z.output<typeof TemplateRow>;

/** Serializes writers of templates and handouts by an advisory lock. */
export async function lockTemplates(tx: Tx): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('coupon_templates', 0))`);
}

const terms = sql`
  id, name, basis_points, amount_minor, currency, cap_minor, minimum_minor, site_ids, kind, game_ids,
  item_ids, starts_at, ends_at, live_days, per_account_max`;

/** The templates with these ids that exist. */
export function selectTemplatesById(tx: Tx, ids: readonly string[]): Promise<TemplateRow[]> {
  return tx.many(
    TemplateRow,
    sql`select ${terms} from coupon_templates where id = any(${ids}::text[]) limit 1000`,
  );
}

/** The templates that have not ended, and the rows that cannot be read. */
export function selectLiveTemplates(db: Db) {
  return readRows(
    db,
    { table: 'coupon_templates', key: ['id'], row: TemplateRow },
    sql`
      select ${terms} from coupon_templates
      where ends_at is null or ends_at > now() order by id limit 10000`,
  );
}

export async function insertTemplate(
  tx: Tx,
  template: TemplateRow & { loadedBy: string },
): Promise<void> {
  await tx.run(sql`
    insert into coupon_templates
      (id, name, basis_points, amount_minor, currency, cap_minor, minimum_minor, site_ids, kind,
       game_ids, item_ids, starts_at, ends_at, live_days, per_account_max, loaded_by)
    values (${template.id}, ${JSON.stringify(template.name)}, ${template.basis_points},
            ${template.amount_minor}, ${template.currency}, ${template.cap_minor},
            ${template.minimum_minor}, ${template.site_ids}, ${template.kind},
            ${template.game_ids}, ${template.item_ids}, ${template.starts_at},
            ${template.ends_at}, ${template.live_days}, ${template.per_account_max},
            ${template.loadedBy})`);
}

const KnownName = z.object({ what: z.enum(['game', 'item', 'pack']), id: z.string() });

/** The items, packs and games of the catalogue that have one of these ids. */
export function selectKnownNames(tx: Tx, ids: readonly string[]) {
  return tx.many(
    KnownName,
    sql`
      select 'game' as what, id from games where id = any(${ids}::text[])
      union all
      select 'item', id from items where id = any(${ids}::text[])
      union all
      select 'pack', id from point_packs where id = any(${ids}::text[])
      limit 100000`,
  );
}

const CountedTemplate = z.object({
  id: z.string(),
  name: ShownText,
  starts_at: z.date(),
  ends_at: z.date().nullable(),
  issued: z.int(),
  held: z.int(),
});

/** The newest templates, with the number of coupons issued and of those held or used by orders. */
export async function selectTemplates(db: Db) {
  const { rows } = await readRows(
    db,
    { table: 'coupon_templates', key: ['id'], row: CountedTemplate },
    sql`
      select id, name, starts_at, ends_at,
             (select count(*)::int from coupons where template_id = coupon_templates.id) as issued,
             (select count(*)::int from coupons join coupon_uses using (account_id, coupon_id)
              where template_id = coupon_templates.id and released_at is null) as held
      from coupon_templates order by loaded_at desc, id limit 200`,
  );
  return rows;
}

/** The template that a handout key stands for, which may be another one. Needs `lockTemplates`. */
export function upsertIssue(
  tx: Tx,
  { key, templateId, by }: { key: string; templateId: string; by: string },
) {
  return tx.one(
    z.object({ template_id: z.string() }),
    sql`
      with added as (
        insert into coupon_issues (key, template_id, issued_by)
        values (${key}, ${templateId}, ${by})
        on conflict do nothing returning template_id
      )
      select template_id from added
      union all
      select template_id from coupon_issues where key = ${key}
      limit 1`,
  );
}

const Named = z.object({ name: z.string(), account_id: z.uuid() });

/** Accounts by id or login name. */
export function selectAccountsNamed(
  db: Db,
  { ids, loginNames }: { ids: readonly string[]; loginNames: readonly string[] },
) {
  return db.many(
    Named,
    sql`
      select id::text as name, id as account_id from accounts where id = any(${ids}::uuid[])
      union all
      select subject, account_id from identities
      where account_type = 'ACCOUNT' and subject = any(${loginNames}::text[])
      limit 200000`,
  );
}
