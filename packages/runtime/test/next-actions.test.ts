import { call, collect, field, settled, visit } from '@railyard/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { drive, memoryJournal } from '../src/index.ts';
import { charges, connectorOf, five, hostOf, json, runOf } from './support/sample.ts';

const noProvider = () => hostOf(() => json(500, {})).host;

describe('a question', () => {
  const fields = z.strictObject({
    code: field(z.string().regex(/^\d{4}$/), { label: 'Code', input: 'code' }),
    note: z.string().optional(),
  });
  const connector = connectorOf(function* () {
    for (let error: string | undefined; ; error = 'Wrong.') {
      const answer = yield* collect({ fields, error, resend: true });
      if (!answer.resend && answer.values.code === '1234') return settled(answer.values.note ?? 'none', five);
    }
  }, []);

  test('suspends the flow with what the page needs', async () => {
    expect(await drive(runOf(connector), noProvider())).toEqual({
      kind: 'suspended',
      problems: [],
      nextAction: {
        kind: 'collect',
        step: 'collect',
        resend: true,
        mayTurnBack: true,
        fields: [
          { name: 'code', label: 'Code', input: 'code', required: true },
          { name: 'note', label: 'note', input: 'text', required: false },
        ],
      },
    });
  });

  test('is asked again under another name, with the reason', async () => {
    const host = noProvider();
    const again = await drive(runOf(connector), host, { step: 'collect', values: { code: '9999' } });
    expect(again).toMatchObject({ nextAction: { step: 'collect#2', error: 'Wrong.' } });
    const sent = await drive(runOf(connector), host, { step: 'collect#2', resend: true });
    expect(sent).toMatchObject({ nextAction: { step: 'collect#3' } });
    const done = await drive(runOf(connector), host, { step: 'collect#3', values: { code: '1234' } });
    expect(done).toEqual({ kind: 'done', outcome: settled('none', five) });
  });

  test('keeps the first answer when an earlier one is sent again', async () => {
    const host = noProvider();
    await drive(runOf(connector), host, { step: 'collect', values: { code: '9999' } });
    const late = await drive(runOf(connector), host, { step: 'collect', values: { code: '1234' } });
    expect(late).toMatchObject({ kind: 'suspended', nextAction: { step: 'collect#2' } });
  });

  test('refuses an answer that does not fit, and writes nothing down', async () => {
    const journal = memoryJournal();
    const { host } = hostOf(() => json(500, {}), journal);
    const refused = await drive(runOf(connector), host, { step: 'collect', values: { code: '12' } });
    expect(refused).toMatchObject({ kind: 'suspended', problems: [{ field: 'code' }] });
    expect(await journal.load('run-1')).toMatchObject([{ step: 'collect', state: 'begun' }]);
  });
});

describe('choices', () => {
  const fields = z.strictObject({ account: z.string(), extra: z.string().optional() });
  const options = { account: [{ value: 'a', label: 'A' }], extra: [{ value: 'x', label: 'X' }] };
  const connector = connectorOf(function* () {
    return settled((yield* collect({ fields, options })).account, five);
  }, []);

  test.each([
    [{ account: 'b' }, 'account'],
    [{ account: 'a', extra: 'y' }, 'extra'],
  ])('refuse %j', async (values, name) => {
    const result = await drive(runOf(connector), noProvider(), { step: 'collect', values });
    expect(result).toMatchObject({ kind: 'suspended', problems: [{ field: name }] });
  });

  test('are those of an enumeration, without being listed', async () => {
    const kind = field(z.enum(['CPF', 'CNPJ']), { label: 'Kind', names: { CPF: 'Person' } });
    const asking = connectorOf(function* () {
      return settled((yield* collect({ fields: z.strictObject({ kind }) })).kind, five);
    }, []);
    expect(await drive(runOf(asking), noProvider())).toMatchObject({
      nextAction: {
        fields: [
          {
            input: 'select',
            options: [
              { value: 'CPF', label: 'Person' },
              { value: 'CNPJ', label: 'CNPJ' },
            ],
          },
        ],
      },
    });
  });

  test('may be left out where the field is optional', async () => {
    const result = await drive(runOf(connector), noProvider(), { step: 'collect', values: { account: 'a' } });
    expect(result).toMatchObject({ outcome: { providerReference: 'a' } });
  });

  test('cannot be sent again', async () => {
    const result = await drive(runOf(connector), noProvider(), { step: 'collect', resend: true });
    expect(result).toMatchObject({ kind: 'suspended', problems: [{ field: '' }] });
  });
});

describe('two visits under one reference', () => {
  const until = z.object({ value: z.string() });
  const to = { purpose: 'authenticate', url: 'https://acs.example', reference: 'r1', until } as const;
  const connector = connectorOf(
    function* () {
      const first = yield* visit({ ...to, step: 'method' });
      const made = yield* call(charges.keyed, first.value);
      const second = yield* visit({ ...to, step: 'challenge' });
      return settled(`${first.value} ${made.reply} ${second.value}`, five);
    },
    [charges.keyed],
  );

  test('take an answer by reference once', async () => {
    const { host } = hostOf(() => json(201, { id: 'c1' }));
    const first = await drive(runOf(connector), host, { reference: 'r1', values: { value: 'one' } });
    expect(first).toMatchObject({ kind: 'suspended', nextAction: { step: 'challenge' } });
  });

  test('do not take what the first was already given', async () => {
    const { host } = hostOf(() => json(201, { id: 'c1' }));
    await drive(runOf(connector), host, { step: 'method', values: { value: 'one' } });
    const repeated = await drive(runOf(connector), host, { reference: 'r1', values: { value: 'one' } });
    expect(repeated).toMatchObject({ kind: 'suspended', nextAction: { step: 'challenge' } });
    const second = await drive(runOf(connector), host, { reference: 'r1', values: { value: 'two' } });
    expect(second).toMatchObject({ outcome: { providerReference: 'one made two' } });
  });

  test('ignore another reference', async () => {
    const { host } = hostOf(() => json(201, { id: 'c1' }));
    const other = await drive(runOf(connector), host, { reference: 'r2', values: { value: 'one' } });
    expect(other).toMatchObject({ kind: 'suspended', nextAction: { step: 'method', url: 'https://acs.example' } });
  });
});
