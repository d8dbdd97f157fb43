import { defineMethod } from '@railyard/core';
import * as z from 'zod';

/** A code of an instant payment system, which the app of the payer’s bank reads (2-methods.md, the QR method with brand IPS). */
export const ipsQr = defineMethod({
  key: 'ips-qr',
  title: { en: 'IPS QR code', pt: 'Código QR IPS' },
  operations: { purchase: { parameters: z.strictObject({}), completion: ['qr'] } },
  currencies: ['EUR', 'RSD', 'BAM', 'MKD'],
});
