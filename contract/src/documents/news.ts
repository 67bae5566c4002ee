import { z } from 'zod';
import { BulletinCategory } from '../bulletins.ts';
import { Id, Moment, textsOf } from './parts.ts';

const Line = z.string().trim().min(1).max(200);
const RichText = z.string().max(60_000);
const Sites = z.array(Id).min(1).max(100);

const bulletin = {
  category: z.enum(BulletinCategory.def.entries),
  art: Id.describe('The name of its picture.'),
  pinPosition: z
    .int()
    .min(1)
    .max(1_000)
    .nullable()
    .default(null)
    .describe('The place among the pinned ones. Null for none.'),
  publishFrom: Moment.nullable().default(null).describe('From when on it is shown. Null for now.'),
  publishUntil: Moment.nullable().default(null).describe('Until when it is shown. Null for ever.'),
};

type Shown = { publishFrom: Date | null; publishUntil: Date | null };
const endsLater = ({ publishFrom, publishUntil }: Shown) =>
  publishUntil === null || publishUntil > (publishFrom ?? new Date());
const endsEarly = {
  path: ['publishUntil'],
  message: 'is not after publishFrom: write a later time, or leave it out',
};

/** `news/<id>/bulletin.yaml`; its texts stand beside it, a file for each language. */
export const BulletinDocument = z
  .strictObject(bulletin)
  .refine(endsLater, endsEarly)
  .describe('News of a site.');

/** A bulletin as `import-bulletin` takes it, a draft until it is published. */
export const BulletinImport = z
  .strictObject({
    id: Id,
    sites: Sites,
    ...bulletin,
    texts: textsOf(
      z.strictObject({ title: Line, summary: z.string().trim().max(400), body: RichText }),
    ),
  })
  .refine(endsLater, endsEarly);
export type BulletinImport = z.output<typeof BulletinImport>;

/** A new version of a page, shown from `shownFrom` on in place of the one before. */
export const PageImport = z.strictObject({
  id: Id,
  sites: Sites,
  shownFrom: Moment.nullable().default(null),
  texts: textsOf(z.strictObject({ title: Line, body: RichText })),
});
export type PageImport = z.output<typeof PageImport>;

/** The fields at the top of a text. */
export const TextFields = z
  .strictObject({
    title: z.string(),
    summary: z.string().optional(),
    lead: z.string().optional().describe('The first paragraph, in larger letters.'),
  })
  .describe('The fields at the top of a text.');
