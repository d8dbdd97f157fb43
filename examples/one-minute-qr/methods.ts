import { defineMethod } from '@railyard/core';
import { z } from 'zod';

/** A code on the screen that the payer scans within a minute. */
export const quickCode = defineMethod({
  key: 'quick-code',
  title: 'Quick code',
  operations: { purchase: { parameters: z.strictObject({}), completion: ['qr'] } },
});
