import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { answer, profileOf } from './support/sessions.ts';

interface Input {
  readonly id: string;
  readonly description: string;
  readonly base: string;
  readonly patch: readonly { readonly path: string; readonly value: unknown }[];
  readonly expect: { readonly error_on: string };
}

type Base = Readonly<Record<string, unknown>> & { readonly parameters: Readonly<Record<string, object>> };

const file: {
  readonly session: { readonly order: object };
  readonly bases: Readonly<Record<string, Base>>;
  readonly inputs: readonly Input[];
} = JSON.parse(readFileSync(new URL('./fixtures/bad-inputs.json', import.meta.url), 'utf8'));

function request(name: string, patch: Input['patch']): unknown {
  const { parameters, order, ...rest } = file.bases[name] ?? { parameters: {} };
  const merged: Record<string, unknown> = {};
  for (const [key, values] of Object.entries(parameters)) {
    const changed: Record<string, unknown> = { ...values };
    for (const { path, value } of patch) changed[path.split('/').at(-1) ?? ''] = generated(value);
    merged[key] = changed;
  }
  return {
    ...file.session,
    merchant_key: '11111111-2222-4333-8444-555555555555',
    order: { ...file.session.order, number: 'order-1', currency: 'BRL', ...(typeof order === 'object' && order) },
    ...rest,
    parameters: merged,
    hash: 'a'.repeat(40),
  };
}

function generated(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('$repeat' in value) || !('$times' in value)) return value;
  return String(value.$repeat).repeat(Number(value.$times));
}

const profile = {
  methods: {
    ...profileOf('pix', 'pix', ['source_account_number']).methods,
    ...profileOf('collection', 'pix-collection').methods,
  },
};

it.each(Object.keys(file.bases))('accepts the good request %s', (name) => {
  expect(answer(request(name, []), profile)).toEqual([]);
});

it.each(file.inputs)('refuses $id: $description', (input) => {
  const found = answer(request(input.base, input.patch), profile);
  const field = input.patch[0]?.path.split('/').at(-1) ?? '';
  const method = input.base === 'collect' ? 'collection' : 'pix';
  // A document of another kind is reported on the document, which is the more likely mistake.
  const at = input.id === 'B479' ? 'debtor_document' : field;
  expect(found).toEqual([expect.stringContaining(`parameters.${method}.${at}: `)]);
  expect(found[0]?.startsWith(input.expect.error_on)).toBe(true);
});
