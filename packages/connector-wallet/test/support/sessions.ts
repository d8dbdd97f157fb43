import { createRegistry } from '@railyard/core/registry';
import { answersOf } from '../../../core/test/support/answers.ts';
import { sessionWith } from '../../../core/test/support/session-of.ts';
import * as methods from '../../src/methods.ts';

export const registry = createRegistry(Object.values(methods));
export const today = '2026-11-21';

/** A session request; `more` overrides its fields. */
export const sessionOf = sessionWith({ amount: '10.00', currency: 'USD', description: 'Two books' });

/** Every problem as `path: text`; the warnings where there is none. */
export const answer = answersOf(registry, today);
