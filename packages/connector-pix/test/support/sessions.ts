import { createRegistry, type Profile } from '@railyard/core';
import { answersOf } from '../../../core/test/support/answers.ts';
import { pix, pixCollection, pixDocument, pixPersonal } from '../../src/index.ts';

export const registry = createRegistry([pix, pixCollection, pixDocument, pixPersonal]);
export const today = '2026-11-21';

type Parameters = Readonly<Record<string, unknown>>;

/** A session request in reais; `more` overrides its fields. */
export function sessionOf(key: string, parameters: Parameters, more: object = {}) {
  return {
    merchant_key: '11111111-2222-4333-8444-555555555555',
    operation: 'purchase',
    methods: [key],
    order: { number: 'order-1', amount: '10.00', currency: 'BRL', description: 'Two books' },
    success_url: 'https://shop.example/done',
    cancel_url: 'https://shop.example/cancel',
    customer: { name: 'Maria Silva', email: 'maria@example.com' },
    parameters: { [key]: parameters },
    hash: 'a'.repeat(40),
    ...more,
  };
}

export const creditOf = (parameters: Parameters) =>
  sessionOf('pix', parameters, { operation: 'credit', payee: { name: 'Maria Silva' } });

/** Every problem as `path: text`; the warnings where there is none. */
export const answer = answersOf(registry, today);

/** A profile in which a method key stands for a method, with what its MID supplies. */
export function profileOf(key: string, method: string, supplied: readonly string[] = [], strict = false): Profile {
  return { methods: { [key]: { method, supplied: [...supplied], strict_documents: strict } } };
}
