import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';

const orderSchema = z.object({
  kind: z.literal('order'),
  number: z.string(),
  amount: z.string(),
  currency: z.string(),
  description: z.string(),
  at: z.string(),
  /** A sample order may stay unused, so it is listed only once a callback about it has arrived. */
  sample: z.boolean().optional(),
  /** Charged each month by this schedule, as a test. */
  schedule: z.string().optional(),
});

const callbackSchema = z.object({
  kind: z.literal('callback'),
  /** A charge of a subscription is noted with the order that began it. */
  order: z.string(),
  fields: z.record(z.string(), z.string()),
  /** Whether the protocol's hash in the body is right. */
  hash: z.boolean(),
  /** Whether the Standard Webhooks signature in the headers is right. */
  webhook: z.boolean(),
  id: z.string(),
  at: z.string(),
});

const lineSchema = z.discriminatedUnion('kind', [orderSchema, callbackSchema]);

export type Order = z.output<typeof orderSchema>;
export type ReceivedCallback = z.output<typeof callbackSchema>;

/** The shop's orders and what it was told about them; one JSON line each, so that a restart keeps them. */
export interface Orders {
  add(line: Order | ReceivedCallback): void;
  order(number: string): Order | undefined;
  /** Newest first, without unused samples. */
  orders(): readonly Order[];
  callbacks(order: string): readonly ReceivedCallback[];
}

export function openOrders(file: string): Orders {
  mkdirSync(dirname(file), { recursive: true });
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  // The last line may be half written if the shop was killed while it wrote it.
  const lines = text.split('\n').flatMap((line) => {
    try {
      return [lineSchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
  const callbacks = (order: string) =>
    lines.filter((line): line is ReceivedCallback => line.kind === 'callback' && line.order === order);
  return {
    add(line) {
      lines.push(line);
      appendFileSync(file, `${JSON.stringify(line)}\n`);
    },
    order: (number) => lines.find((line): line is Order => line.kind === 'order' && line.number === number),
    orders: () =>
      lines
        .filter((line): line is Order => line.kind === 'order')
        .filter(({ sample, number }) => sample !== true || callbacks(number).length > 0)
        .toReversed(),
    callbacks,
  };
}
