import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineConnector, defineMethod, type Method } from '../../src/index.ts';
import { createRegistry, describeMethods, type Profile, routesOf } from '../../src/registry.ts';
import { declaration } from '../connector/support.ts';
import { lines, regional, request, sessionOf, today } from './support.ts';

const operation = { parameters: z.strictObject({}), completion: [] };
const plain = (key: string, more: Pick<Method, 'countries' | 'home'>) =>
  defineMethod({ key, title: key, operations: { purchase: operation, credit: operation }, ...more });

const mexican = plain('mexican', { countries: ['MX'] });
const home = { countries: ['MX'], elsewhere: 'The currency decides.' };
const methods = [
  mexican,
  plain('at-home', { home }),
  plain('anywhere', {}),
  defineMethod({ ...regional, countries: ['BR', 'MX'] }),
];
const registry = createRegistry(methods);
const said = (changes: Record<string, unknown>) => lines(registry.validate(request(changes), { today }));

const CHOICE = 'The value you selected is not a valid choice.';
const inFrance = { country: 'FR' };
const payout = { operation: 'credit', payee: { name: 'Ana Torres' } };

describe('a method of one country', () => {
  test.each([
    ['refuses a payer of another', { billing_address: inFrance }, [`billing_address.country: ${CHOICE}`]],
    ['takes a payer of its own', { billing_address: { country: 'MX' } }, []],
    ['takes a payer whose country is not said', { billing_address: { city: 'Paris' } }, []],
    [
      'refuses a payee of another',
      { ...payout, payee_billing_address: inFrance },
      [`payee_billing_address.country: ${CHOICE}`],
    ],
    ['takes a payee of its own', { ...payout, payee_billing_address: { country: 'MX' } }, []],
    ['does not look at the payer of a payout', { ...payout, billing_address: inFrance }, []],
    ['does not look at the payee of a purchase', { payee_billing_address: inFrance }, []],
  ])('%s', (_says, changes, problems) => {
    expect(said({ methods: ['mexican'], ...changes })).toEqual(problems);
  });

  test('is not asked where the session brings its parameters alone', () => {
    expect(said({ methods: ['anywhere'], parameters: { mexican: {} }, billing_address: inFrance })).toEqual([]);
  });

  test('is left out beside methods that take the payer', () => {
    const asked = { methods: ['anywhere', 'mexican', 'at-home'], billing_address: inFrance };
    expect(said(asked)).toEqual([]);
    expect(said({ ...asked, methods: ['mexican'] })).toEqual([`billing_address.country: ${CHOICE}`]);
  });
});

test('a method that is at home in a country takes payers and payees of others', () => {
  expect(said({ methods: ['at-home'], billing_address: inFrance })).toEqual([]);
  expect(said({ methods: ['at-home'], ...payout, payee_billing_address: inFrance })).toEqual([]);
});

test('a method with a variant for each country says once that a country is wrong, with the choices', () => {
  expect(said({ methods: ['regional'], billing_address: inFrance })).toEqual([
    `billing_address.country: ${CHOICE} Use one of BR, MX for regional.`,
  ]);
});

test('a page without a list of methods offers those that take the payer', () => {
  const keys = ['mexican', 'at-home', 'anywhere'];
  const profile: Profile = { methods: Object.fromEntries(keys.map((method) => [method, { method, mid: method }])) };
  const offered = (country?: string) => {
    const session = sessionOf(methods, country === undefined ? {} : { billing_address: { country } }, profile);
    return routesOf(registry, session, { profile, today }).map(({ key }) => key);
  };
  expect(offered('FR')).toEqual(['at-home', 'anywhere']);
  expect(offered('MX')).toEqual(keys);
  expect(offered()).toEqual(keys);
});

test('describes the countries of a method, and why it takes payers of others', () => {
  expect(describeMethods(registry).map(({ key, countries, elsewhere }) => [key, countries.join(), elsewhere])).toEqual([
    ['mexican', 'MX', undefined],
    ['at-home', 'MX', 'The currency decides.'],
    ['anywhere', '', undefined],
    ['regional', 'BR,MX', undefined],
  ]);
});

describe('a declaration', () => {
  test.each([
    ['a code that is no country', { countries: ['MX', 'XX'] }, '"XX" is no country of ISO 3166-1'],
    ['a code of three letters', { home: { ...home, countries: ['MEX'] } }, '"MEX" is no country of ISO 3166-1'],
    ['both kinds of countries', { countries: ['MX'], home }, 'give countries, or home'],
    ['a home without a reason', { home: { ...home, elsewhere: ' ' } }, 'say in home.elsewhere why'],
  ])('with %s is refused', (_of, more, problem) => {
    const define = () => defineConnector({ ...declaration, serves: (serve) => [serve(plain('odd', more), {})] });
    expect(define).toThrow(problem);
  });
});
