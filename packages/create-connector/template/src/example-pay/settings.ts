import { field, secret } from '@railyard/core';
import * as z from 'zod';

/** The configuration of each account at the provider. Credentials are marked `secret`: they are sealed and never shown. */
export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  webhook_secret: secret(z.string().min(16), 'Secret of the notification signature'),
});

export type Settings = z.output<typeof settings>;
