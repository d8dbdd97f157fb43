import { field, secret } from '@railyard/core';
import * as z from 'zod';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  client_id: field(z.string().min(1), { label: 'Client id' }),
  client_secret: secret(z.string().min(1), 'Client secret'),
  notification_secret: secret(z.string().min(16), 'Secret of the notification signature'),
  choose_bank: field(z.boolean().default(false), {
    label: 'The payer chooses the bank on the checkout page',
    help: 'Otherwise on the provider’s.',
  }),
});

export type Settings = z.output<typeof settings>;
