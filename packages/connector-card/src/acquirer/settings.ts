import { field, secret } from '@railyard/core';
import * as z from 'zod';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the acquirer’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  notification_secret: secret(z.string().min(16), 'Secret of the notification signature'),
  card_on_file: field(z.boolean().default(false), {
    label: 'The acquirer is told that a card is saved',
    help: 'Every payment that saves a card then keeps the acquirer’s agreement for later charges.',
  }),
});

export type Settings = z.output<typeof settings>;
