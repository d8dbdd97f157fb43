import { limitsTable } from '@railyard/core';
import { operators } from './operators.ts';

/** Limits of one payout, by operator. */
export const mobileMoneyLimits = limitsTable(
  '2-methods.md, Limits',
  operators.map(({ slug, currency, min, max }) => ({ operation: 'credit', currency, operator: slug, min, max })),
);
