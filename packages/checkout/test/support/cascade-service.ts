import { randomUUID } from 'node:crypto';
import type { HttpRequest } from '@railyard/runtime';
import * as z from 'zod';
import type { GivenCatalogue } from '../../src/index.ts';
import { account, acquirerService, type Answered } from './acquirer-service.ts';
import type { MerchantChange, MidChange } from './card-config.ts';
import { CARD, cardBody, payByCard } from './card-service.ts';
import { createPage } from './service.ts';

/** What an account answers to a payment; `pays`: what its simulator does with the card. */
export type Answer = 'pays' | 'soft' | 'hard' | 'lost' | 'silent';

/** No money, which another account may see otherwise; a card that is over. */
const CODES = { soft: '51', hard: '54' } as const;

const bodySchema = z.object({
  reference: z.string(),
  amount: z.int(),
  currency: z.string(),
  notification_url: z.string(),
  card: z.object({ number: z.string(), cvv: z.string().optional(), network: z.string().optional() }),
});

/** A payment as an account was asked for it. */
export interface Asked {
  readonly mid: string;
  readonly reference: string;
  readonly number: string;
  readonly cvv: string | undefined;
  /** The network that the payer chose. */
  readonly network: string | undefined;
}

function askedOf({
  method,
  body,
}: HttpRequest): (Asked & { readonly amount: number; readonly currency: string }) | undefined {
  if (method !== 'POST' || body === undefined) return undefined;
  const parsed = bodySchema.safeParse(JSON.parse(String(body)));
  if (!parsed.success) return undefined;
  const { reference, amount, currency, notification_url, card } = parsed.data;
  const mid = notification_url.split('/').at(-1) ?? '';
  return { mid, reference, amount, currency, number: card.number, cvv: card.cvv, network: card.network };
}

const THREE = ['first', 'second', 'third'];

/**
 * The running service with several accounts at the acquirer, whose merchant has cascading on. A method `card-<name>` leads to the
 * accounts `first`, `<name>` and `third`; `card` to `first`, `second` and `third`.
 *
 * @param others further accounts beside these three, and settings of the three
 */
export async function cascadeService(
  ofMerchant: MerchantChange = {},
  others: Readonly<Record<string, MidChange>> = {},
  options: Parameters<typeof acquirerService>[2] = {},
) {
  const more = Object.keys(others).filter((name) => !THREE.includes(name));
  const names = [...THREE, ...more];
  const methods: GivenCatalogue['merchants'][number]['methods'] = [
    { key: 'card', mid: THREE },
    ...more.map((name) => ({
      key: `card-${name}`,
      method: 'card',
      title: `Card, ${name}`,
      mid: ['first', name, 'third'],
    })),
  ];
  const service = await acquirerService(
    { cascading: true, methods, ...ofMerchant },
    (settings) => names.map((name) => account(name, settings, { channels: ['shop'], ...others[name] })),
    options,
  );
  /** By account; one that is not named pays. */
  const state = { answers: new Map<string, Answer>() };
  const tries: Asked[] = [];
  service.state.answer = (request): Answered | undefined => {
    const payment = askedOf(request);
    if (payment === undefined)
      return request.url.includes('reference') && [...state.answers.values()].includes('silent') ? 'lost' : undefined;
    tries.push(payment);
    return answered(payment, state.answers.get(payment.mid) ?? 'pays');
  };
  return {
    ...service,
    /** What the accounts were asked, in order. */
    tries,
    /** From now on the accounts answer so. */
    answer(answers: Readonly<Record<string, Answer>>) {
      state.answers = new Map(Object.entries(answers));
      tries.length = 0;
    },
    /** The accounts that were asked, in order. */
    mids: () => tries.map(({ mid }) => mid),
    /** Pays an order on its page. */
    async pay(
      change: Readonly<Record<string, unknown>> = {},
      order: Readonly<Record<string, string>> = {},
      card: Readonly<Record<string, string>> = CARD,
    ) {
      const body = cardBody(change, order);
      const page = await createPage(service.url, body);
      const [method = 'card'] = body.methods;
      const { status, text } = await payByCard(page, { ...card, method });
      if (status !== 303) throw new Error(text);
      return { page, number: body.order.number };
    },
    calledBack: (number: string) => service.shop.received.filter(({ fields }) => fields.order_number === number),
  };
}

export type CascadeService = Awaited<ReturnType<typeof cascadeService>>;

function answered(
  { amount, currency, reference }: { readonly amount: number; readonly currency: string; readonly reference: string },
  answer: Answer,
): Answered | undefined {
  if (answer === 'pays') return undefined;
  if (answer === 'silent') return 'lost';
  if (answer === 'lost') return 'lost-after';
  const why = { response_code: CODES[answer], response_message: `Declined ${answer}ly.` };
  return { status: 402, body: { id: randomUUID(), reference, status: 'DECLINED', amount, currency, ...why } };
}
