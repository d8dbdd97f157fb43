import * as z from 'zod';

/** So many requests in so many seconds. */
const rate = (requests: number, seconds: number) =>
  z
    .strictObject({ requests: z.int().min(1).max(10_000_000), seconds: z.int().min(1).max(86_400) })
    .default({ requests, seconds });

/**
 * How much one sender may ask of one process of the service; `false`: no limits, for example because a proxy has them. The
 * defaults stop only a flood.
 */
export const rateLimitsSchema = z
  .union([
    z.literal(false),
    z.strictObject({
      /** Signed requests of a merchant. */
      merchant: rate(5000, 10),
      /** Requests of an address, whatever they are, except for notifications. */
      address: rate(5000, 10),
      /** Forms sent from one payment page. */
      forms: rate(60, 60),
      /** Views of one payment page and its questions how the payment stands. */
      views: rate(600, 60),
      /** Notifications of one address for one provider account. */
      notifications: rate(10_000, 10),
      /** Wrong signatures of an address, at calls whose signature covers a stored payment: each costs reads of the database. */
      signatures: rate(100, 10),
      /** Declined attempts on payment pages, of an address at one merchant. */
      declines: rate(30, 600),
    }),
  ])
  .default({
    merchant: { requests: 5000, seconds: 10 },
    address: { requests: 5000, seconds: 10 },
    forms: { requests: 60, seconds: 60 },
    views: { requests: 600, seconds: 60 },
    notifications: { requests: 10_000, seconds: 10 },
    signatures: { requests: 100, seconds: 10 },
    declines: { requests: 30, seconds: 600 },
  });

export type RateLimitsConfig = z.output<typeof rateLimitsSchema>;
