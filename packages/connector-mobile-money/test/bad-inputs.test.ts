import { expect, it } from 'vitest';
import { operators } from '../src/index.ts';
import file from './fixtures/bad-inputs.json' with { type: 'json' };
import { answer, collectionOf, payoutOf } from './support/sessions.ts';

type Patch = Readonly<Record<string, unknown>>;

/** Form fields of the payout command, as the session that they stand for. */
const FORM: Readonly<Record<string, string>> = {
  'parameters[mobile_money_operator]': 'mobile_money_operator',
  'parameters[mobile_number]': 'mobile_number',
};

/** `{{op1}}-eg` is the first operator of Egypt. */
const text = (value: unknown) =>
  typeof value === 'string'
    ? value.replace(/^\{\{op1\}\}-(\w\w)$/, (_all, code: string) => firstOf(code.toUpperCase()))
    : undefined;
const firstOf = (country: string) => operators.find((each) => each.country === country)?.slug ?? '';

function payout(patches: readonly Patch[]): unknown {
  let [amount, currency] = ['100', 'KES'];
  const parameters: Record<string, unknown> = { mobile_money_operator: 'safaricom-ke' };
  for (const { name, value } of patches) {
    if (name === 'order_amount') amount = text(value) ?? '';
    else if (name === 'order_currency') currency = text(value) ?? '';
    else parameters[FORM[String(name)] ?? ''] = text(value);
  }
  // The number belongs to the operator that the entry is about.
  const numbers: Readonly<Record<string, string>> = { GHS: '233231234567', TZS: '255621234567', EGP: '201001234567' };
  return payoutOf(
    { mobile_number: numbers[currency] ?? '254712345678', ...parameters },
    amount.includes('.') ? amount : `${amount}.00`,
    currency,
  );
}

/** What each entry is refused with. Those of the command itself (action, hash, form) are the command's. */
const REFUSED: Readonly<Record<string, string>> = {
  B490: 'order.amount: This value should be greater than or equal to 10.',
  B495: 'parameters.mobile-money.mobile_money_operator: The value you selected is not a valid choice.',
  B496: 'parameters.mobile-money.mobile_money_operator: The value you selected is not a valid choice.',
  B500: 'parameters.mobile-money.mobile_number: This value is not valid.',
  B501: 'parameters.mobile-money.mobile_number: This value is not valid.',
  B510: 'order.amount: This value should be less than or equal to 150000.',
  B512: 'order.amount: This value should be less than or equal to 50000.',
  B515: 'order.amount: This value should be greater than or equal to 1000.',
  B516: 'order.amount: This value should be less than or equal to 30000.',
  B517: 'order.amount: This value should be greater than or equal to 1.',
  B518: 'order.amount: This value should be less than or equal to 30000.',
};

const payouts = file.inputs.filter(({ id }) => id in REFUSED || id === 'B507');

it.each(payouts)('a payout, $id: $description', ({ id, patch }) => {
  const expected = REFUSED[id];
  // A zero amount is told once more, in the protocol's own text.
  const issues = answer(payout(patch)).filter((line) => line !== 'amount: This value should be greater than 0.');
  expect(issues).toEqual(expected === undefined ? [] : [expected]);
});

const generated = (value: unknown) =>
  typeof value === 'object' && value !== null && '$repeat' in value && '$times' in value && '$suffix' in value
    ? `${String(value.$repeat).repeat(Number(value.$times))}${String(value.$suffix)}`
    : value;

const uganda = file.inputs.filter(({ group }) => group === 'uganda-files');

it.each(uganda)('Uganda, $id: $description', ({ patch, expect: expected }) => {
  const parameters: Record<string, unknown> = { ...file.base.uganda.parameters['mm-uganda'] };
  for (const { op, path, value } of patch as readonly Patch[]) {
    const name = String(path).split('/').at(-1) ?? '';
    if (op === 'remove') delete parameters[name];
    else parameters[name] = generated(value);
  }
  const found = answer(collectionOf('mobile-money-ug', parameters, '5000.00', 'UGX'));
  if (!('error_on' in expected)) return expect(found).toEqual([]);
  const name = expected.error_on?.replace('mm-uganda', 'mobile-money-ug') ?? '';
  expect(found).toEqual([expect.stringContaining(`${name}: `)]);
});
