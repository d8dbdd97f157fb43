import { signCommand } from '@railyard/core/protocol';
import * as z from 'zod';
import { testMerchant } from '../typical.ts';
import { cardSale, signedByCard } from './commands.ts';

/** The requests about subscriptions: begin some, charge them as merchants do, let their day come. */
export const subscriptionsSchema = z.object({
  url: z.string(),
  subscriptions: z.enum(['begin', 'charge', 'pass']),
  count: z.int(),
  callers: z.int(),
  /** The order numbers of charges that the merchant asks for begin with it. */
  prefix: z.string().default('own'),
});

type Asked = z.output<typeof subscriptionsSchema>;

const begunSchema = z.object({ trans_id: z.string(), recurring_token: z.string() });
const scheduleSchema = z.object({ schedule_id: z.string() });

type Post = (
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly text: string }>;

/** Payers who have agreed to later charges, and what the merchant is called back of them. */
export class Subscriptions {
  readonly #post: Post;
  readonly #begun: z.output<typeof begunSchema>[] = [];
  #charged = 0;
  #done: (() => void) | undefined;
  #awaited = Infinity;

  constructor(post: Post) {
    this.#post = post;
  }

  /** A callback came. */
  heard(fields: URLSearchParams): void {
    if (fields.get('action') !== 'RECURRING_SALE' || fields.get('status') !== 'SETTLED') return;
    // The charge of a schedule has the day in its number.
    if (!/-\d{4}-\d\d-\d\d$/.test(fields.get('order_id') ?? '')) return;
    this.#charged += 1;
    if (this.#charged >= this.#awaited) this.#done?.();
  }

  async run({
    url,
    subscriptions,
    count,
    callers,
    prefix,
  }: Asked): Promise<{ readonly seconds: number; readonly failed: number }> {
    const start = process.hrtime.bigint();
    const failed = await {
      begin: () => this.#begin(url, count, callers),
      charge: () => this.#charge(url, count, callers, prefix),
      pass: () => this.#pass(count),
    }[subscriptions]();
    return { seconds: Number(process.hrtime.bigint() - start) / 1e9, failed };
  }

  async #command(url: string, fields: Readonly<Record<string, string>>): Promise<unknown> {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const { text } = await this.#post(`${url}/post`, new URLSearchParams(fields).toString(), form);
    return JSON.parse(text);
  }

  /** First payments, each by a schedule that charges once, tomorrow. */
  async #begin(url: string, count: number, callers: number): Promise<number> {
    const made = await this.#command(url, {
      action: 'CREATE_SCHEDULE',
      client_key: testMerchant.key,
      name: 'Tomorrow',
      interval_length: '1',
      interval_unit: 'day',
      payments_count: '1',
      hash: signCommand('schedule', { schedule_id: '' }, testMerchant.password),
    });
    const { schedule_id } = scheduleSchema.parse(made);
    return each(count, callers, async (at) => {
      const sale = { ...cardSale(`first-${at}`, testMerchant), recurring_init: 'Y', schedule_id };
      const begun = begunSchema.safeParse(await this.#command(url, sale));
      if (begun.success) this.#begun.push(begun.data);
      return begun.success;
    });
  }

  /** Later charges by the merchant's own command. */
  #charge(url: string, count: number, callers: number, prefix: string): Promise<number> {
    return each(count, callers, async (at) => {
      const of = this.#begun[at % this.#begun.length];
      const answer = await this.#command(url, {
        action: 'RECURRING_SALE',
        client_key: testMerchant.key,
        order_id: `${prefix}-${at}`,
        order_amount: '10.00',
        order_description: 'Later charge',
        recurring_first_trans_id: of?.trans_id ?? '',
        recurring_token: of?.recurring_token ?? '',
        hash: signedByCard(testMerchant.password),
      });
      return Reflect.get(Object(answer), 'status') === 'SETTLED';
    });
  }

  /** The day of schedules has begun; over once the merchant was called back of each charge. */
  async #pass(count: number): Promise<number> {
    this.#awaited = count;
    const over = new Promise<void>((resolve) => (this.#done = resolve));
    if (this.#charged < count) await over;
    return 0;
  }
}

/** Does something so many times, so many at once. @returns how often it failed */
async function each(count: number, callers: number, one: (at: number) => Promise<boolean>): Promise<number> {
  let [next, failed] = [0, 0];
  const caller = async () => {
    for (let at = next++; at < count; at = next++) if (!(await one(at))) failed += 1;
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return failed;
}
