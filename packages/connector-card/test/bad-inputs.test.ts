import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { answer } from './support/sessions.ts';

interface Input {
  readonly id: string;
  readonly description: string;
  readonly base: string;
  readonly patch: readonly { readonly path: string; readonly value: unknown }[];
  readonly expect: { readonly http?: readonly number[]; readonly error_on?: string; readonly decision?: boolean };
}

const file: {
  readonly session: object;
  readonly bases: Readonly<Record<string, object>>;
  readonly inputs: readonly Input[];
} = JSON.parse(readFileSync(new URL('./fixtures/bad-inputs.json', import.meta.url), 'utf8'));

/** What the list leaves open, and how it is answered here. */
const DECIDED: Readonly<Record<string, readonly string[]>> = {
  B437: ['parameters.card.bnrg_installm_months: This value is not valid.'],
  B443: [],
  B449: [],
};

function request(base: string, patch: Input['patch']): unknown {
  const text = JSON.stringify({ ...file.session, ...file.bases[base], hash: 'a'.repeat(40) });
  const body: unknown = JSON.parse(text.replace(/\{\{\w+\}\}/g, 'order-1'));
  for (const { path, value } of patch) put(body, path.split('/').slice(1), generated(value));
  return body;
}

function put(at: unknown, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (typeof at !== 'object' || at === null) throw new Error(`${name} leads nowhere`);
  if (rest.length === 0) Reflect.set(at, name, value);
  else put(Reflect.get(at, name), rest, value);
}

function generated(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$repeat' in value && '$times' in value) return String(value.$repeat).repeat(Number(value.$times));
  if ('$array' in value && '$of' in value) return Array.from({ length: Number(value.$array) }, () => value.$of);
  return value;
}

const refused = file.inputs.filter((input) => input.expect.http?.includes(400));
const accepted = file.inputs.filter((input) => input.expect.http?.includes(200));
const open = file.inputs.filter((input) => input.expect.decision);

it.each(Object.keys(file.bases))('accepts the good request %s', (name) => {
  expect(answer(request(name, []))).toEqual([]);
});

it.each(refused)('refuses $id: $description', ({ base, patch, expect: expected }) => {
  const found = answer(request(base, patch));
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(new RegExp(`^${expected.error_on?.replaceAll('.', String.raw`\.`)}(?:\\.\\S+)?: .`));
});

it.each(accepted)('accepts $id: $description', ({ base, patch }) => {
  expect(answer(request(base, patch))).toEqual([]);
});

it.each(open)('has one answer to $id: $description', ({ id, base, patch }) => {
  expect(answer(request(base, patch))).toEqual(DECIDED[id]);
});

it('takes up every entry of the list', () => {
  expect(refused.length + accepted.length + open.length).toBe(file.inputs.length);
  expect(open.map(({ id }) => id)).toEqual(Object.keys(DECIDED));
});
