import type { HmacBase64 } from '@railyard/core/merchant';
import { hmac } from '@railyard/runtime';

/** Node's own, for the signatures of the Standard Webhooks: many times as fast as the one that runs everywhere. */
export const fastHmac: HmacBase64 = (key, signed) => hmac('sha256', key).update(signed).digest('base64');
