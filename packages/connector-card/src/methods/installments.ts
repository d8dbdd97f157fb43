import { TEXTS } from '@railyard/core';
import * as z from 'zod';
import { inSet } from './card-set.ts';

const required = inSet('installments', ['bnrg_installm_def', 'bnrg_installm_months', 'bnrg_installm_plan']);
const twoDigits = () => z.string().regex(/^\d{2}$/, 'This value should have exactly 2 digits.');

/** Set 1 of the protocol. */
export const installments = {
  bnrg_installm_def: required(twoDigits(), {
    label: 'Months before the first charge',
    help: 'Two digits: 01 one month, 00 no delay.',
    example: '00',
  }),
  bnrg_installm_months: required(
    // No payments at all is no plan.
    twoDigits().refine((months) => months !== '00', TEXTS.notValid),
    { label: 'Number of monthly payments', example: '12' },
  ),
  bnrg_installm_plan: required(z.enum(['03', '05', '07']), {
    label: 'Plan',
    help: '03 without interest, 05 with interest, 07 first payment deferred.',
  }),
};
