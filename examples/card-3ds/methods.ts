import { defineMethod } from '@railyard/core';
import { z } from 'zod';

export const card = defineMethod({
  key: 'card',
  title: 'Card',
  operations: { purchase: { card: true, parameters: z.strictObject({}), completion: ['redirect'] } },
});
