import { field, secret } from '@railyard/core';
import * as z from 'zod';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  username: field(z.string().min(1), { label: 'User name of the API' }),
  password: secret(z.string().min(1), 'Password of the API'),
});

export type Settings = z.output<typeof settings>;
