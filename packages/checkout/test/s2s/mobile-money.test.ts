import { operators } from '@railyard/connector-mobile-money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import file from '../../../connector-mobile-money/test/fixtures/bad-inputs.json' with { type: 'json' };
import { type Fields, refusalLines, sendCommand, toldCommand } from '../support/commands.ts';
import { filled, firstIn, mobileFields } from '../support/mobile-money-payout.ts';
import { lastEntry, type MobileMoneyService, mobileMoneyService } from '../support/mobile-money-service.ts';

let service: MobileMoneyService;

beforeAll(async () => {
  service = await mobileMoneyService();
});

afterAll(() => service.stop());

const payouts = () => service.provider.ledger.filter(({ kind }) => kind === 'payout').length;

interface Listed {
  readonly id: string;
  readonly description: string;
  readonly patch: readonly {
    readonly op: string;
    readonly name?: string;
    readonly value?: unknown;
    readonly count?: number;
  }[];
  readonly expect: { readonly http?: readonly number[]; readonly provider_calls?: number };
}

const listed: readonly (Listed & { readonly group: string })[] = file.inputs;
const inputs = listed.filter(({ group }) => group === 'mobile-money-payout');

function patched({ patch }: Listed): URLSearchParams {
  const set = patch.filter(({ op }) => op === 'set_form');
  const change = set.flatMap(({ name = '', value }) =>
    typeof value === 'string' ? [[name, filled(value)] as const] : [],
  );
  const fields = new URLSearchParams(mobileFields(Object.fromEntries(change)));
  for (const { name = '', value } of set) if (value === null) fields.delete(name);
  for (const { op, name = '', value, count = 0 } of patch) {
    if (op === 'append_form') fields.append(name, String(value));
    if (op === 'append_form_many') for (let each = 0; each < count; each += 1) fields.append(`f${each}`, 'x');
  }
  return fields;
}

describe('payouts of the list of bad inputs', () => {
  test('are all understood', () => {
    const ops = new Set(inputs.flatMap(({ patch }) => patch.map(({ op }) => op)));
    expect([...ops].sort()).toEqual(['append_form', 'append_form_many', 'set_form']);
    expect(inputs).toHaveLength(19);
  });

  test.each(inputs)('$id $description', async (input) => {
    const before = payouts();
    const { status, json } = await sendCommand(service.url, patched(input));
    expect(input.expect.http).toContain(status);
    expect(json['result']).toBe(status === 200 ? 'SUCCESS' : 'ERROR');
    expect(payouts() - before).toBe(input.expect.provider_calls ?? (status === 200 ? 1 : 0));
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

const NUMBERS: Fields = {
  GH: '233231234567',
  KE: '254712345678',
  CI: '2250712345678',
  CM: '237671234567',
  TZ: '255621234567',
  EG: '201001234567',
};

/** The least and the most of each operator, and what is next to them; francs have no parts. */
const EDGES = operators.flatMap(({ slug, country, currency, min, max }) => {
  const step = currency === 'XOF' || currency === 'XAF' ? 1 : 0.01;
  const amount = (value: number) => value.toFixed(step === 1 ? 0 : 2);
  const of = { slug, currency, number: NUMBERS[country] ?? '' };
  return [
    { ...of, amount: amount(Number(min) - step), line: `greater than or equal to ${min}.` },
    { ...of, amount: amount(Number(min)), line: undefined },
    { ...of, amount: amount(Number(max)), line: undefined },
    { ...of, amount: amount(Number(max) + step), line: `less than or equal to ${max}.` },
  ];
});

describe('a payout', () => {
  test.each(EDGES)('of $amount $currency to $slug: $line', async ({ slug, currency, number, amount, line }) => {
    const before = payouts();
    const fields = mobileFields({
      order_amount: amount,
      order_currency: currency,
      'parameters[mobile_money_operator]': slug,
      'parameters[mobile_number]': number,
    });
    const reply = await sendCommand(service.url, fields);
    if (line === undefined) expect(reply.json).toMatchObject({ result: 'SUCCESS', amount });
    else expect(refusalLines(reply)).toEqual([`order_amount: This value should be ${line}`]);
    expect(payouts() - before).toBe(line === undefined ? 1 : 0);
  });

  test('goes to a payee whose name is in any letters, and is reported', async () => {
    const fields = mobileFields({
      order_currency: 'XOF',
      order_amount: '500',
      payee_first_name: 'Aïcha',
      payee_last_name: 'Koné',
      'parameters[mobile_money_operator]': firstIn('CI'),
      'parameters[mobile_number]': '2250712345678',
    });
    expect((await sendCommand(service.url, fields)).json).toMatchObject({ result: 'SUCCESS', amount: '500' });
    expect(JSON.stringify(lastEntry(service).sent)).toContain('Aïcha Koné');
    expect(await toldCommand(service.shop, fields['order_id'], 'SETTLED')).toMatchObject({ amount: '500' });
  });
});
