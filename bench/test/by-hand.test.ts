import { parseSession } from '@railyard/core/protocol';
import { describe, expect, it } from 'vitest';
import { bodyOperations, materialise, sessionInputs } from '../../packages/core/test/support/bad-inputs.ts';
import { handPath } from '../src/by-hand/path.ts';
import { handSession } from '../src/by-hand/session.ts';
import { ourPath, ourPlainPath } from '../src/our-path.ts';
import { today, typicalSession } from '../src/typical.ts';

const ours = (body: unknown) => ourPath(JSON.stringify(body), 'reference', 'https://pay.example/notify');
const byHand = (body: unknown) => handPath(JSON.stringify(body), 'reference', 'https://pay.example/notify', 'bench');

const corpus = sessionInputs
  .filter((input) => input.patch.every(({ op }) => bodyOperations.has(op)))
  .map((input) => ({ id: input.id, text: materialise(input) }));

const pixParameters: readonly Readonly<Record<string, unknown>>[] = [
  { fine: '1.00', type_fine: 'VALUE' },
  { fine: '2', type_fine: 'PERCENT' },
  { debtor_document: '12ABC34501DE35' },
  { debtor_document: '52998224724' },
  { type_document: 'CPF', debtor_document: '52998224725' },
  { branch_identifier: '0002', source_account_number: '9' },
  {},
  { type_fine: 'VALUE' },
  { fine: '1.00' },
  { fine: '1.005', type_fine: 'VALUE' },
  { fine: 1, type_fine: 'VALUE' },
  { type_fine: 'OTHER' },
  { type_fine: null },
  { type_document: 'CNPJ', debtor_document: '52998224725' },
  { type_document: 'RG' },
  { debtor_document: '529' },
  { debtor_document: '' },
  { debtor_name: 'x'.repeat(26) },
  { debtor_name: ' ' },
  { branch_identifier: '12' },
  { source_account_number: 'x'.repeat(256) },
  { unknown: 'x' },
];

describe('the work by hand', () => {
  it('gives the same session and the same request to the provider', () => {
    const body = typicalSession('order-1234567');
    const result = ours(body);
    expect(byHand(body)).toEqual({
      session: result?.session,
      warnings: result?.warnings,
      headers: result?.wire.headers,
      json: result?.wire.json,
    });
  });

  it('takes and refuses the same purchases of the corpus', () => {
    let taken = 0;
    for (const { id, text } of corpus) {
      const input = jsonOf(text);
      if (['debit', 'credit', 'transfer'].includes(operationOf(input))) continue;
      const parsed = parseSession(input, { today });
      expect(handSession(input, today) !== undefined, id).toBe(parsed.ok);
      if (parsed.ok) taken += 1;
      if (parsed.ok) expect(handSession(input, today)?.fields, id).toEqual(parsed.session);
    }
    expect(taken).toBeGreaterThan(20);
  });

  it.each(pixParameters)('takes or refuses Pix parameters %j as the connector does', (pix) => {
    const body = typicalSession('order-1234567', { parameters: { pix } });
    const [one, other] = [ours(body), byHand(body)];
    expect(other === undefined).toBe(one === undefined);
    expect(other?.json).toEqual(one?.wire.json);
    expect(other?.warnings).toBe(one?.warnings);
  });

  it.each([
    { methods: ['other'] },
    { methods: ['pix', 'other'] },
    { parameters: { other: {} } },
    { hash: 'a'.repeat(40) },
    { merchant_key: 'unknown' },
    { order: { number: 'order-1', amount: '0.00', currency: 'BRL', description: 'Gift' } },
  ])('refuses %j as the connector does', (change) => {
    const body = typicalSession('order-1234567', change);
    expect([ours(body), byHand(body)]).toEqual([undefined, undefined]);
  });

  it('is compared with plain schemas that give the same result', () => {
    const text = JSON.stringify(typicalSession('order-1234567'));
    expect(ourPlainPath(text, 'r', 'n')).toEqual(ourPath(text, 'r', 'n'));
  });
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function operationOf(input: unknown): string {
  return typeof input === 'object' && input !== null && 'operation' in input ? String(input.operation) : '';
}
