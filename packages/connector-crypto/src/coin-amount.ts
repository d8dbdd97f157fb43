import * as z from 'zod';

/** How much of a coin to send, as decimal text with at most the 18 decimals that a coin has; it is shown digit for digit. */
export const coinAmount = () => z.string().regex(/^\d{1,20}(\.\d{1,18})?$/);
