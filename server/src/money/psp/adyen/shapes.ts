import { z } from 'zod';

/** Adyen's id of a payment or of a modification of it. */
export const PspReference = z.string().regex(/^[A-Z0-9]{16}$/);
