import { field, secret } from '@railyard/core';
import * as z from 'zod';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  webhook_secret: secret(z.string().min(16), 'Secret of the notification signature'),
  merchant_bears_fees: field(z.boolean().default(false), {
    label: 'The merchant bears the fees of a collection',
    help: 'Otherwise they are added to what the payer pays.',
  }),
});

export type Settings = z.output<typeof settings>;
