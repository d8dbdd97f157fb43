import { defineMethod } from '@railyard/core';
import { z } from 'zod';

export const storeAccount = defineMethod({
  key: 'store-account',
  title: 'Store account',
  operations: {
    purchase: {
      parameters: z.strictObject({ account: z.string().regex(/^\d{8}$/, 'This value should have exactly 8 digits.') }),
      completion: [],
    },
  },
});
