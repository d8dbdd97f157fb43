import { apmSaleFields, onApmTransaction } from '../support/apm-commands.ts';
import { expiring, onTransaction, saleFields } from '../support/card-commands.ts';
import { type Fields, statusFields } from '../support/commands.ts';
import { sessionBody } from '../support/service.ts';
import { entriesOf, newCardBody } from './card-flows.ts';
import { callbacksOf, submit, UNDER_WAY } from './client.ts';
import type { Deployment, Reply } from './deployment.ts';
import { expected, type Flow } from './flow.ts';
import { heardOf } from './heard.ts';
import { payCharge } from './pay-charge.ts';

/** Sends a command until it is answered, each time under its key, as a merchant's server does whose request died. */
async function command(deployment: Deployment, path: string, fields: Fields, key: string): Promise<Fields> {
  const send = () =>
    deployment.request(path, {
      method: 'POST',
      headers: { 'idempotency-key': key },
      body: new URLSearchParams(fields),
    });
  // Another one is under way, or came less than fifteen seconds ago.
  const isEarly = ({ status, text }: Reply) => status === UNDER_WAY || text.includes('Duplicate request.');
  let reply = await send();
  await deployment.until(async () => {
    if (isEarly(reply)) reply = await send();
    return !isEarly(reply);
  }, `The answer to ${fields['action']}`);
  return Object(JSON.parse(reply.text));
}

/** The newest callback of an order that fits. */
const heard = (deployment: Deployment, order: string, fits: (fields: Fields) => boolean): Fields | undefined =>
  callbacksOf(deployment, order).findLast(fits);

async function calledBack(deployment: Deployment, order: string, action: string, status: string): Promise<Fields> {
  const find = () => heard(deployment, order, (each) => each['action'] === action && each['status'] === status);
  await deployment.until(() => find() !== undefined, `The callback "${action} ${status}" of ${order}`);
  return find() ?? {};
}

/** The merchant's own question must give the answer that they were told. */
async function askedByCommand(deployment: Deployment, path: string, fields: Fields): Promise<void> {
  const { text } = await deployment.request(path, { method: 'POST', body: new URLSearchParams(fields) });
  if (!text.includes('"SETTLED"')) throw new Error(`The status of ${fields['trans_id']}: ${text}`);
}

/** The charge was written down and never left: its code died with the process, and the acquirer has nothing. */
const isLeft = (deployment: Deployment, order: string): boolean =>
  heard(deployment, order, (each) => heardOf(each).isUndefined) !== undefined &&
  entriesOf(deployment, order).length === 0;

/** The payer confirms at the bank, once the merchant knows where they go, and comes back by our address to the merchant's. */
async function visitBank(deployment: Deployment, order: string): Promise<void> {
  const isSent = heard(deployment, order, ({ result }) => result === 'REDIRECT') !== undefined;
  const entry = entriesOf(deployment, order).find(({ state }) => state !== 'declined');
  if (!isSent || entry === undefined) return;
  if (entry.state === 'challenged') deployment.outside.acquirer.settle(entry.id);
  const back = new URL(String(Reflect.get(Object(entry.request), 'return_url')));
  await submit(deployment, back.pathname, { payment_id: entry.id });
}

/** A card of a merchant's own form whose bank asks the payer on a page of its own; the payer comes back to `term_url_3ds`. */
export const soldByCommand: Flow = {
  name: 'a sale by command with 3-D Secure',
  hasCode: true,
  readsOnce: true,
  body: () => newCardBody(),
  expects: (number) => [expected(number, ['money'])],
  async pay(deployment, { order: { number, amount, currency } }) {
    const isPaid = () => heard(deployment, number, ({ status }) => status === 'SETTLED') !== undefined;
    for (let attempt = 0; attempt < 3 && !isPaid(); attempt += 1) {
      const ends = () => callbacksOf(deployment, number).filter((each) => heardOf(each).state === 'declined').length;
      const before = ends();
      const over = () => isPaid() || ends() > before || isLeft(deployment, number);
      const order = { order_id: number, order_amount: amount, order_currency: currency, order_description: number };
      await command(deployment, '/post', saleFields({ ...order, ...expiring('05/2038') }), `${number}-${attempt}`);
      let visited = -1;
      await deployment.until(
        async () => {
          // A payer whose way back died with the service takes it again.
          if (!over() && visited !== deployment.upsets + callbacksOf(deployment, number).length) {
            visited = deployment.upsets + callbacksOf(deployment, number).length;
            await visitBank(deployment, number);
          }
          return over();
        },
        `The end of sale ${attempt + 1} of ${number}`,
      );
      if (isLeft(deployment, number)) return;
    }
    const { trans_id = '' } = await calledBack(deployment, number, 'SALE', 'SETTLED');
    await askedByCommand(deployment, '/post', onTransaction('GET_TRANS_STATUS', trans_id));
  },
};

/** Money that is held by one command and taken by another, at a provider that refuses every repeat and whose lookups lag. */
export const capturedByCommand: Flow = {
  name: 'a hold by command and its capture',
  readsOnce: true,
  body: () => sessionBody(),
  expects: (number) => [expected(number, ['hold', 'money'])],
  async pay(deployment, { order: { number, amount } }) {
    const sale = { brand: 'hostile-hold', order_id: number, order_amount: amount, auth: 'Y' };
    await command(deployment, '/post-va', apmSaleFields(sale), number);
    const { trans_id = '' } = await calledBack(deployment, number, 'SALE', 'PENDING');
    await command(deployment, '/post-va', onApmTransaction('CAPTURE', trans_id), `${number}-capture`);
    await calledBack(deployment, number, 'CAPTURE', 'SETTLED');
    await askedByCommand(deployment, '/post-va', statusFields(trans_id));
  },
};

/** A debit that is calculated by one command and confirmed by another; its payer pays a code. */
export const confirmedByCommand: Flow = {
  name: 'a debit by command in two steps',
  readsOnce: true,
  body: () => sessionBody(),
  expects: (number) => [expected(number, ['money'])],
  async pay(deployment, { order: { number, amount } }) {
    const { return_url: way = '', ...fields } = apmSaleFields({
      action: 'DEBIT2VIRTUAL_CALC',
      order_id: number,
      order_amount: amount,
      payer_address: 'Rua A 1',
    });
    const { trans_id = '' } = await command(deployment, '/post-va', { ...fields, payer_return_url: way }, number);
    await calledBack(deployment, number, 'DEBIT2VIRTUAL_CALC', 'PREPARE');
    const charge = () => deployment.outside.pix.ledger.find(({ external_id }) => external_id === trans_id);
    if (charge() !== undefined) throw new Error(`${number} was sent before it was confirmed.`);
    await command(deployment, '/post-va', onApmTransaction('DEBIT2VIRTUAL_COMPLETE', trans_id), `${number}-confirmed`);
    await calledBack(deployment, number, 'DEBIT2VIRTUAL', 'REDIRECT');
    const made = charge();
    if (made === undefined) throw new Error(`${number} was called back without a charge.`);
    await payCharge(deployment, made);
    await calledBack(deployment, number, 'DEBIT2VIRTUAL', 'SETTLED');
    await askedByCommand(deployment, '/post-va', statusFields(trans_id));
  },
};

export const commandFlows: readonly Flow[] = [soldByCommand, capturedByCommand, confirmedByCommand];
