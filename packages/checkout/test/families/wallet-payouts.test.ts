import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { keysPaidIn } from '../../../../test/support/catalogue.ts';
import { payoutFields, sendCommand, toldCommand } from '../support/commands.ts';
import { familyService } from '../support/family-service.ts';
import { expectRefusals } from '../support/refusals.ts';
import { createPage, post, pressPay, sessionBody } from '../support/service.ts';
import { linkPayoutAccount } from '../support/wallet-payer-accounts.ts';

const key = 'link-payout';
const ANSWER = 'At the sea';
const sent = { SecurityQuestion: 'Where did we meet first?', SecurityQuestionAnswer: ANSWER };
const customer = { name: 'Ana Horvat', email: 'ana@example.com' };

let service: Awaited<ReturnType<typeof familyService>>;
beforeAll(async () => {
  service = await familyService([linkPayoutAccount]);
}, 60_000);
beforeEach(() => service.simulator.setRule({ connector: linkPayoutAccount.connector.id, scenario: 'manual' }));
afterAll(() => service.stop());

const bodyOf = (change: Readonly<Record<string, unknown>> = {}, order: Readonly<Record<string, string>> = {}) =>
  sessionBody(
    {
      operation: 'credit',
      methods: [key],
      payee: { name: 'Ivo Novak' },
      customer,
      parameters: { [key]: sent },
      ...change,
    },
    { currency: 'CAD', ...order },
  );
const send = async (body: object) => (await post(`${service.url}/api/v1/session`, body)).status;
const last = () => service.simulator.payments().at(-1);

const commandOf = (change: Readonly<Record<string, string>> = {}) => {
  const { 'parameters[key]': _key, ...fields } = payoutFields({
    brand: key,
    order_currency: 'CAD',
    order_description: 'Two books',
    payer_first_name: 'Ana',
    payer_last_name: 'Horvat',
    payer_email: 'ana@example.com',
    'parameters[SecurityQuestion]': sent.SecurityQuestion,
    'parameters[SecurityQuestionAnswer]': ANSWER,
    ...change,
  });
  return fields;
};

test('every key that the catalogue sends here is paid out', () => {
  expect(keysPaidIn('families/wallet-payouts.test.ts')).toEqual([key]);
});

test('is paid out from the session to the last callback, and no callback holds the answer', async () => {
  const body = bodyOf();
  const page = await createPage(service.url, body);
  expect((await pressPay(page, { method: key })).status).toBe(303);
  expect(last()).toMatchObject({ amount: '10.00', currency: 'CAD' });
  expect(JSON.stringify(last())).not.toContain(ANSWER);
  service.simulator.settle(last()?.id ?? '');
  const { fields, signed } = await service.shop.until(
    (each) => each.fields['order_number'] === body.order.number && each.fields['order_status'] === 'settled',
  );
  expect(signed).toBe(true);
  expect(fields).toMatchObject({ status: 'success', order_amount: '10.00', order_currency: 'CAD' });
  expect(JSON.stringify(fields)).not.toContain(ANSWER);
});

test('is paid out by command, without a page', async () => {
  const fields = commandOf();
  expect((await sendCommand(service.url, fields)).json).toMatchObject({ status: 'PREPARE' });
  service.simulator.settle(last()?.id ?? '');
  expect(await toldCommand(service.shop, fields['order_id'], 'SETTLED')).toMatchObject({ result: 'SUCCESS' });
});

test('is declined where the provider rejects it', async () => {
  service.simulator.setRule({ connector: linkPayoutAccount.connector.id, scenario: 'declined' });
  expect((await sendCommand(service.url, commandOf())).json).toMatchObject({ status: 'DECLINED' });
});

test('is refused in another operation, and taken in another country and currency', async () => {
  await expectRefusals(service.url, key, bodyOf);
});

test('is refused with a value that is absent or wrong', async () => {
  const before = service.simulator.payments().length;
  expect(await send(bodyOf())).toBe(200);
  for (const wrong of [
    { SecurityQuestion: 'Where is?' },
    { SecurityQuestionAnswer: 'ab' },
    { SecurityQuestion: undefined },
    { SecurityQuestionAnswer: undefined },
  ])
    expect.soft(await send(bodyOf({ parameters: { [key]: { ...sent, ...wrong } } })), JSON.stringify(wrong)).toBe(400);
  for (const wrong of [{ name: 'Ana' }, { email: undefined }, { name: undefined }])
    expect.soft(await send(bodyOf({ customer: { ...customer, ...wrong } })), JSON.stringify(wrong)).toBe(400);
  expect(await send(bodyOf({}, { description: 'Four' }))).toBe(400);
  expect(service.simulator.payments()).toHaveLength(before);
});
