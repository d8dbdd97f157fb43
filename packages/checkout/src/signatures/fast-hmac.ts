import { createHmac } from 'node:crypto';
import type { HmacBase64 } from '@railyard/core/merchant';

/** Node's own, for the signatures of the Standard Webhooks: many times as fast as the one that runs everywhere. */
export const fastHmac: HmacBase64 = (key, signed) => createHmac('sha256', key).update(signed).digest('base64');
