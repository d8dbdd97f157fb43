import { field, secret } from '@railyard/core';
import * as z from 'zod';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  expiry_hours: field(z.int().min(1).max(8760).default(24), {
    label: 'Life of a code in hours',
    help: 'Used where neither the request nor the MID names an expiryDate.',
  }),
});
