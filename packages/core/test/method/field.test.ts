import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineConnector, defineMethod, field, type FieldInfo, type Method, secret } from '../../src/index.ts';
import { fieldInfo } from '../../src/registry.ts';
import { declaration } from '../connector/support.ts';

const info: FieldInfo = { label: 'Branch', sources: ['mid'], when: { path: 'order.currency', in: ['BRL'] } };
const branch = field(z.string(), info);

describe('the record of a field', () => {
  test.for<[string, z.ZodType]>([
    ['itself', branch],
    ['optional', branch.optional()],
    ['exactOptional', z.exactOptional(branch)],
    ['nullable', branch.nullable()],
    ['nullish', branch.nullish()],
    ['default', branch.default('1')],
    ['prefault', branch.prefault('1')],
    ['catch', branch.catch('1')],
    ['readonly', branch.readonly()],
    ['nonoptional', branch.optional().nonoptional()],
    ['transform', branch.transform((text) => text.length)],
    ['pipe', branch.pipe(z.string().max(4))],
    ['preprocess', z.preprocess((value) => value, branch)],
    ['refine', branch.refine((text) => text !== 'x')],
    ['a schema that is made later', z.lazy(() => branch)],
    ['several layers', branch.optional().nullable().default(null)],
  ])('is found through %s', ([, schema]) => {
    expect(fieldInfo(schema, 'branch')).toEqual(info);
  });

  test('is the name where there is none', () => {
    expect(fieldInfo(z.string().optional(), 'branch')).toEqual({ label: 'branch' });
  });

  test('leaves the rule and other metadata alone', () => {
    const schema = field(z.string().max(2).meta({ description: 'kept' }), info);
    expect(schema.meta()?.description).toBe('kept');
    expect(schema.safeParse('abc').success).toBe(false);
  });

  test('says that a credential is secret, also where it is changed while it is read', () => {
    expect(
      fieldInfo(
        secret(z.string(), 'Key').transform((text) => text.trim()),
        'key',
      ).secret,
    ).toBe(true);
  });
});

describe('a method', () => {
  const plain = (parameters: z.ZodObject): Method => ({
    key: 'a',
    title: 'A',
    operations: { purchase: { parameters, completion: [] } },
  });

  /** Where it is checked: a page that only validates has no connector. */
  const served = (method: Method) => () =>
    defineConnector({ ...declaration, serves: (serve) => [serve(defineMethod(method), {})] });

  test('is its own declaration', () => {
    const method = plain(z.strictObject({}));
    expect(defineMethod(method)).toBe(method);
  });

  test.for([
    ['an open object', z.object({})],
    ['a loose object', z.looseObject({})],
    ['an object with a catch-all', z.object({}).catchall(z.string())],
  ] as const)('refuses %s, because a wrong name would be accepted', ([, parameters]) => {
    expect(served(plain(parameters))).toThrow('Method a, purchase: declare parameters with z.strictObject');
  });

  test('refuses an open object among its variants', () => {
    const variants = { by: 'billing_address.country', cases: { BR: z.object({}) } };
    const needs = { 'billing_address.country': z.string() };
    const operations = { debit: { variants, needs, completion: [] } };
    expect(served({ ...plain(z.strictObject({})), operations })).toThrow('Method a, debit: declare');
  });

  test('refuses a variant that the payer cannot be asked for', () => {
    const variants = { by: 'billing_address.country', cases: { BR: z.strictObject({}) } };
    const operations = { purchase: { variants, completion: [] } };
    expect(served({ ...plain(z.strictObject({})), operations })).toThrow(
      'declare "billing_address.country" under needs',
    );
  });

  test('refuses a parameter under needs', () => {
    const operations = {
      purchase: { parameters: z.strictObject({}), needs: { 'parameters.a': z.string() }, completion: [] },
    };
    expect(served({ ...plain(z.strictObject({})), operations })).toThrow('Needs are paths of the session');
  });

  test.for(['', '__proto__', 'constructor', 'prototype', '-a', '_a', 'a b', 'a/b', 'ä', 'a'.repeat(65)])(
    'refuses the key %j',
    (key) => {
      expect(served({ ...plain(z.strictObject({})), key })).toThrow('Method key');
    },
  );

  test.for(['a', 'A-b_c.d', '3ds', 'toString', 'a'.repeat(64)])('takes the key %j', (key) => {
    expect(served({ ...plain(z.strictObject({})), key })).not.toThrow();
  });

  test.for(['a.b', '', 'constructor', 'prototype', 'a b'])('refuses the parameter name %j', (name) => {
    expect(served(plain(z.strictObject({ [name]: z.string() })))).toThrow('is no name for a parameter');
  });
});
