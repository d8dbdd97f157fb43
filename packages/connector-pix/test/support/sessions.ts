import { createRegistry, type Profile } from '@railyard/core/registry';
import { answersOf } from '../../../core/test/support/answers.ts';
import { type Parameters, sessionWith } from '../../../core/test/support/session-of.ts';
import { pix, pixCharge, pixCollection, pixDocument, pixPersonal } from '../../src/index.ts';

export const registry = createRegistry([pix, pixCharge, pixCollection, pixDocument, pixPersonal]);
export const today = '2026-11-21';

/** A session request in reais; `more` overrides its fields. */
export const sessionOf = sessionWith(
  { amount: '10.00', currency: 'BRL', description: 'Two books' },
  { customer: { name: 'Maria Silva', email: 'maria@example.com' } },
);

export const creditOf = (parameters: Parameters) =>
  sessionOf('pix', parameters, { operation: 'credit', payee: { name: 'Maria Silva' } });

/** Every problem as `path: text`; the warnings where there is none. */
export const answer = answersOf(registry, today);

/** A profile in which a method key stands for a method, with what its MID supplies. */
export function profileOf(key: string, method: string, supplied: readonly string[] = [], strict = false): Profile {
  return { methods: { [key]: { method, supplied: [...supplied], strict_documents: strict } } };
}
