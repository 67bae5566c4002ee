import { z } from 'zod';

/** How Adyen calls a payment and everything that happens to it. */
export const PspReference = z.string().regex(/^[A-Z0-9]{16}$/);
