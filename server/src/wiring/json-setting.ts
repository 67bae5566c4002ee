import { z } from 'zod';

/** A setting whose text is JSON. */
export const jsonOf = <T>(schema: z.ZodType<T>) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown; // as: any to unknown, checked by the next step
      } catch {
        context.addIssue('is not JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);
