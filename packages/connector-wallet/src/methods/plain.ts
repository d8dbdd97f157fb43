import { defineMethod, type LimitsTable, type PayerText } from '@railyard/core';
import * as z from 'zod';

interface Plain<K extends string> {
  readonly key: K;
  readonly title: PayerText;
  readonly completion: 'redirect' | 'qr' | 'payment-details';
  readonly currencies?: readonly string[];
  readonly limits?: LimitsTable;
}

/** A method without parameters (methods-catalogue.md, 28): all that it has is the way in which the payer completes the payment. */
export const plain = <K extends string>({ key, title, completion, currencies, limits }: Plain<K>) =>
  defineMethod({
    key,
    title,
    operations: { purchase: { parameters: z.strictObject({}), completion: [completion] } },
    ...(currencies && { currencies }),
    ...(limits && { limits }),
  });

/** A payment on the wallet’s widget (2-methods.md, Widget redirect). */
export const widget = plain({
  key: 'widget',
  title: { en: 'Wallet', pt: 'Carteira' },
  completion: 'redirect',
});

/** A payment in the wallet’s app, which the page opens (2-methods.md, App redirect). */
export const app = plain({
  key: 'app',
  title: { en: 'Wallet app', pt: 'Aplicativo da carteira' },
  completion: 'redirect',
});

/** A code that the wallet’s app reads (2-methods.md, QR). */
export const qr = plain({ key: 'qr', title: { en: 'QR code', pt: 'Código QR' }, completion: 'qr' });

/** The data that the payer needs to pay (2-methods.md, Payment data shown). */
export const paymentDetails = plain({
  key: 'payment-details',
  title: { en: 'Payment data', pt: 'Dados do pagamento' },
  completion: 'payment-details',
});
