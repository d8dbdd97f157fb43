import { defineMethod, email, field, type PayerText, text } from '@railyard/core';
import { addressFields } from '@railyard/core/payer';
import { isUpiAddress } from '@railyard/identifiers/upi-address';
import * as z from 'zod';

/** UPI to an address that the request names. The protocol has two names for it. */
const byUpiAddress = <K extends string, N extends 'upi_id' | 'upiAddress'>(key: K, name: N) =>
  defineMethod({
    key,
    title: 'UPI',
    subtitle: 'Google Pay, PhonePe, Paytm',
    operations: {
      purchase: {
        parameters: z.strictObject({
          [name]: field(text({ max: 255 }), { label: 'UPI address of the payer', example: 'name@exampleupi' }),
        }),
        completion: ['redirect', 'confirm-on-device'],
        rules: [
          {
            paths: [name],
            level: 'document',
            says: `${name} has the form of a UPI address.`,
            check: ({ [name]: address }) =>
              isUpiAddress(String(address)) ? undefined : { path: name, message: 'This is not a UPI address.' },
          },
        ],
      },
    },
    currencies: ['INR'],
  });

/** UPI by `upi_id` (2-methods.md, UPI methods). */
export const upi = byUpiAddress('upi', 'upi_id');

/** UPI by `upiAddress`. */
export const upiAddress = byUpiAddress('upi-address', 'upiAddress');

/** The payer’s phone, of the session or typed; the flow gets E.164. */
const phone = {
  'billing_address.phone': field(addressFields.phone, {
    label: { en: 'Phone number', pt: 'Telefone' },
    input: 'tel',
    autocomplete: 'tel',
    sources: ['payer'],
    example: '+573001234567',
  }),
};

const byPhone = <K extends string>(key: K, title: PayerText) =>
  defineMethod({
    key,
    title,
    operations: {
      purchase: { needs: phone, parameters: z.strictObject({}), completion: ['redirect', 'confirm-on-device'] },
    },
  });

/** A wallet that the payer’s phone number names (2-methods.md, Wallet or phone-number). */
export const phoneWallet = byPhone('phone-wallet', { en: 'Wallet, by phone', pt: 'Carteira, por telefone' });

/** A prompt to the phone that the session names, or the payer (2-methods.md, Pix-style payer prompt). */
export const phonePrompt = byPhone('phone-prompt', { en: 'Prompt on your phone', pt: 'Aviso no seu celular' });

/** Asked of the payer by the network that sends the money; letters and digits there, the protocol forbids spaces alone. */
const question = {
  SecurityQuestion: field(text({ max: 255 }), {
    label: 'Security question',
    help: 'One without its answer is refused.',
    example: 'Where do we meet?',
  }).optional(),
  SecurityQuestionAnswer: field(text({ min: 3, max: 25, pattern: /^\S+$/ }), {
    label: 'Answer to the security question',
    help: '3 to 25 characters without spaces.',
    when: { path: 'parameters.SecurityQuestion', present: true },
    only: { path: 'parameters.SecurityQuestion', present: true },
    secret: true,
    example: 'library',
  }),
};

const LINK = { en: 'Payment link', pt: 'Link de pagamento' };

/** A link that the payer gets by e-mail (2-methods.md, Link-by-e-mail and link-by-SMS). */
export const linkEmail = defineMethod({
  key: 'link-email',
  title: LINK,
  operations: {
    purchase: {
      needs: {
        'customer.email': field(email(), {
          label: 'E-mail',
          input: 'email',
          autocomplete: 'email',
          sources: ['payer'],
        }),
      },
      parameters: z.strictObject(question),
      completion: ['link-sent'],
    },
  },
});

/** A link that the payer gets by SMS. */
export const linkSms = defineMethod({
  key: 'link-sms',
  title: LINK,
  operations: { purchase: { needs: phone, parameters: z.strictObject(question), completion: ['link-sent'] } },
});
