import { randomUUID } from 'node:crypto';
import { signRequest } from '@railyard/core/protocol';
import * as z from 'zod';
import { CARD, cardBody } from '../support/card-service.ts';
import { merchant } from '../support/service.ts';
import { asked, type Body, callbacksOf, openPage, order, postJson, submit, timesTold, told } from './client.ts';
import type { Deployment } from './deployment.ts';
import { expected, type Flow } from './flow.ts';

/** A description of its own, by which the acquirer's entries are told apart. */
export const newCardBody = (change: Readonly<Record<string, unknown>> = {}): Body => {
  const number = `card-${randomUUID()}`;
  return cardBody(change, { number, description: number });
};

/** What the acquirer has of an order. */
export const entriesOf = ({ outside }: Deployment, number: string) =>
  outside.acquirer.payments().filter(({ request }) => Reflect.get(Object(request), 'description') === number);

/** Told that nobody knows, and the acquirer has nothing: the code died before the charge left. */
const isLeft = (deployment: Deployment, number: string): boolean =>
  timesTold(deployment, number, 'undefined') > 0 && entriesOf(deployment, number).length === 0;

/**
 * Enters a card until it is taken, as a payer does who reads that it was declined, and goes to his bank where he is sent there.
 *
 * @returns whether it was; not where the charge is left unknown
 */
export async function enterCard(
  deployment: Deployment,
  body: Body,
  card: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { number } = body.order;
  const page = await openPage(deployment, body);
  const isTaken = () => timesTold(deployment, number, 'success') > 0;
  for (let attempt = 0; attempt < 3 && !isTaken(); attempt += 1) {
    const fails = timesTold(deployment, number, 'fail');
    const over = () => isTaken() || timesTold(deployment, number, 'fail') > fails || isLeft(deployment, number);
    await submit(deployment, `${page}/pay`, { method: 'card', ...card });
    await deployment.until(
      async () => over() || (await visitBank(deployment, page, number)) || over(),
      `The end of attempt ${attempt + 1} of ${number}`,
    );
    if (isLeft(deployment, number)) return false;
  }
  await told(deployment, number, 'success');
  return true;
}

const tokenSchema = z.object({ token: z.string() });
const paidSchema = z.object({ result: z.string() });

/**
 * Enters a card into hosted fields and has the merchant's server pay, until it is taken. Where the code is gone it alone is entered again.
 *
 * @returns whether it was; not where the charge is left unknown
 */
async function enterIntoFields(deployment: Deployment, body: Body): Promise<boolean> {
  const { number } = body.order;
  const post = async (path: string, sent: object, token = '') => {
    const { headers, ...init } = postJson(sent);
    const reply = await deployment.request(path, { ...init, headers: { ...headers, token } });
    const json: unknown = JSON.parse(reply.text);
    return { ...reply, json };
  };
  const opened = await post('/api/v1/session/token', { ...body, return_url: body.success_url });
  const { token } = tokenSchema.parse(opened.json);
  let typed: object = { number: CARD['card.number'], expiry: CARD['card.expiry'], cvv: CARD['card.cvv'] };
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const fails = timesTold(deployment, number, 'fail');
    const over = () =>
      timesTold(deployment, number, 'success') > 0 ||
      timesTold(deployment, number, 'fail') > fails ||
      isLeft(deployment, number);
    await post('/fields/card', typed, token);
    const { status, text, json } = await post('/api/v1/processing/purchase/card', { name: CARD['card.name'] }, token);
    if (status === 400 && text.includes('card.cvv: ')) {
      typed = { cvv: CARD['card.cvv'] };
      continue;
    }
    paidSchema.parse(json);
    await deployment.until(over, `The end of attempt ${attempt + 1} of ${number}`);
    if (isLeft(deployment, number)) return false;
    if (timesTold(deployment, number, 'success') > 0) return true;
    typed = { number: CARD['card.number'], expiry: CARD['card.expiry'], cvv: CARD['card.cvv'] };
  }
  throw new Error(`${number} was not paid.`);
}

/** Confirms the payment at the bank, if the page leads there, and comes back. */
async function visitBank(deployment: Deployment, page: string, number: string): Promise<boolean> {
  const waiting = entriesOf(deployment, number).find(
    ({ state }) => state === 'challenged' || state === 'authenticated',
  );
  if (waiting === undefined) return false;
  const { text } = await deployment.request(page);
  if (!text.includes(waiting.id)) return false;
  if (waiting.state === 'challenged') deployment.outside.acquirer.settle(waiting.id);
  await submit(deployment, `${page}/back`, { cres: `cres_${waiting.id}` });
  return false;
}

const idOf = (deployment: Deployment, number: string): string =>
  callbacksOf(deployment, number).find(({ status }) => status === 'success')?.id ?? '';

/** Asks for an action on the whole amount and waits until the merchant is told of it. */
async function act(deployment: Deployment, body: Body, action: 'capture' | 'refund'): Promise<void> {
  const { number, amount } = body.order;
  const payment_id = idOf(deployment, number);
  const hash = signRequest(action, { payment_id, amount }, merchant.password);
  await order(deployment, action, { payment_id, amount, hash });
  await told(deployment, number, 'success', action);
}

/** A card that is charged by one call. */
export const sale: Flow = {
  name: 'a sale by card',
  hasCode: true,
  body: () => newCardBody(),
  expects: (number) => [expected(number, ['money'])],
  async pay(deployment, body) {
    if (await enterCard(deployment, body, CARD)) await asked(deployment, body.order.number);
  },
};

/** A card that is typed into fields on the merchant's own page. */
export const hosted: Flow = {
  name: 'a sale by hosted fields',
  hasCode: true,
  body: () => newCardBody(),
  expects: (number) => [expected(number, ['money'])],
  async pay(deployment, body) {
    if (await enterIntoFields(deployment, body)) await asked(deployment, body.order.number);
  },
};

/** Money that is held by one call, and taken by another when the merchant says so. */
export const captured: Flow = {
  name: 'a hold on a card and its capture',
  hasCode: true,
  body: () => newCardBody({ auth: true }),
  expects: (number) => [expected(number, ['hold', 'money'])],
  async pay(deployment, body) {
    if (!(await enterCard(deployment, body, CARD))) return;
    await act(deployment, body, 'capture');
    await asked(deployment, body.order.number);
  },
};

/** A card whose bank asks the payer on a page of its own. */
export const challenged: Flow = {
  name: 'a sale by card with 3-D Secure',
  hasCode: true,
  body: () => newCardBody(),
  expects: (number) => [expected(number, ['money'])],
  async pay(deployment, body) {
    if (await enterCard(deployment, body, { ...CARD, 'card.expiry': '05 / 38' }))
      await asked(deployment, body.order.number);
  },
};

/** Money that goes back to a card. Its sale is the other flow's. */
export const refunded: Flow = {
  name: 'a refund to a card',
  body: () => newCardBody(),
  expects: (number) => [expected(number, ['money', 'refund'], 'refunded')],
  async prepare(deployment, body) {
    await enterCard(deployment, body, CARD);
  },
  async pay(deployment, body) {
    await act(deployment, body, 'refund');
    await asked(deployment, body.order.number, 'refund');
  },
};

const later = (number: string) => `${number}-2`;

/** A first charge that begins a mandate, and one without the payer. */
export const recurring: Flow = {
  name: 'a first and a later charge of a card',
  hasCode: true,
  body: () => newCardBody({ recurring_init: true }),
  expects: (number) => [expected(number, ['money']), expected(later(number), ['money'])],
  async pay(deployment, body) {
    if (!(await enterCard(deployment, body, CARD))) return;
    const { recurring_init_trans_id = '', recurring_token = '' } = await told(deployment, body.order.number, 'success');
    const next = { number: later(body.order.number), amount: '7.50', description: 'Second month' };
    const mandate = { recurring_init_trans_id, recurring_token };
    const hash = signRequest('recurring', { ...mandate, ...next }, merchant.password);
    await order(deployment, 'recurring', { ...mandate, order: next, hash }, next.number);
    await told(deployment, next.number, 'success');
    await asked(deployment, next.number);
  },
};

export const cardFlows: readonly Flow[] = [sale, hosted, captured, challenged, refunded, recurring].map((flow) => ({
  ...flow,
  readsOnce: true,
}));
