import { z } from 'zod';
import { type Known, misshapen } from '../replies.ts';
import { failureOf } from './client.ts';

const pageSize = 100;
const pagesMax = 50;

/**
 * Reads all pages of a list. One unreadable page or entry makes the whole list unknown, because a missing
 * entry would look like a refund that never happened.
 */
export async function readList<Entry extends { id: string }>(
  shape: z.ZodType<Entry>,
  readPage: (page: { limit: number; starting_after?: string }) => Promise<unknown>,
): Promise<Known<Entry[]>> {
  const List = z.object({
    object: z.literal('list'),
    has_more: z.boolean(),
    data: z.array(shape),
  });
  const entries: Entry[] = [];
  for (let page = 1; page <= pagesMax; page += 1) {
    const last = entries.at(-1);
    const reply = await readReply(() =>
      readPage({ limit: pageSize, ...(last === undefined ? {} : { starting_after: last.id }) }),
    );
    if (reply.outcome === 'unknown') return reply;
    const list = List.safeParse(reply.value);
    if (!list.success) return misshapen('list', list.error);
    entries.push(...list.data.data);
    if (!list.data.has_more) return { outcome: 'ok', value: entries };
    if (list.data.data.length === 0)
      return { outcome: 'unknown', cause: 'an empty page that is not the last' };
  }
  return { outcome: 'unknown', cause: `more than ${pagesMax} pages` };
}

async function readReply(read: () => Promise<unknown>): Promise<Known<unknown>> {
  try {
    return { outcome: 'ok', value: await read() };
  } catch (error) {
    return { outcome: 'unknown', cause: failureOf(error).code };
  }
}
