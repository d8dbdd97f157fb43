import { readFileSync } from 'node:fs';
import { type Facts, wordsIn } from '@railyard/conformance/official';
import { expect, test } from 'vitest';
import * as adyen from '../src/adyen-endpoints.ts';
import { notification } from '../src/adyen.samples.ts';
import { adyenConnector, govukPayConnector, stripeConnector } from '../src/index.ts';
import * as stripe from '../src/stripe-endpoints.ts';

const factsOf = (name: string): Facts =>
  JSON.parse(readFileSync(new URL(`official/${name}.json`, import.meta.url), 'utf8'));
const sorted = (...words: readonly Iterable<string>[]) => [...new Set(words.flatMap((each) => [...each]))].toSorted();
const wordsOf = ({ rows }: { readonly rows: object }) => Object.keys(rows);

const package23 = factsOf('stripe');
const checkout = factsOf('adyen-checkout');
const webhooks = factsOf('adyen-webhooks');

test('the status table of Stripe has every word of its package, apart from disputes that took no money or follow one that did', () => {
  // `Refunds.d.ts`, Refund.status: the type is text alone.
  const refund = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'];
  const inquiries = ['warning_needs_response', 'warning_under_review', 'warning_closed', 'prevented'];
  const appeals = ['appeal_needs_response', 'appeal_under_review'];
  // Each says what two fields of a PaymentIntent say together.
  const own = ['payment_failed', 'hold_canceled'];
  expect(sorted(wordsOf(stripeConnector.statuses), inquiries, appeals)).toEqual(
    sorted(
      wordsIn(package23, 'PaymentIntent/properties/status'),
      wordsIn(package23, 'Dispute/properties/status'),
      refund,
      own,
    ),
  );
});

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** docs.stripe.com/declines/codes, card decline codes. */
const STRIPE_DECLINES = words(`
  approve_with_id authentication_required call_issuer card_not_supported card_velocity_exceeded
  currency_not_supported do_not_honor do_not_try_again duplicate_transaction expired_card fraudulent
  generic_decline incorrect_cvc incorrect_number incorrect_pin incorrect_zip insufficient_funds
  invalid_account invalid_amount invalid_cvc invalid_expiry_month invalid_expiry_year invalid_number
  invalid_pin issuer_not_available lost_card merchant_blacklist new_account_information_available
  no_action_taken not_permitted pickup_card pin_try_exceeded processing_error reenter_transaction
  restricted_card revocation_of_all_authorizations revocation_of_authorization security_violation
  service_not_allowed stolen_card stop_payment_order testmode_decline transaction_not_allowed
  try_again_later withdrawal_count_limit_exceeded
`);

test('every decline code of Stripe has a reason, or says no more than that the card was declined', () => {
  const general = words(`
    approve_with_id call_issuer do_not_honor duplicate_transaction generic_decline invalid_amount no_action_taken
    not_permitted reenter_transaction security_violation service_not_allowed transaction_not_allowed try_again_later
  `);
  const atReader = words('incorrect_pin invalid_pin pin_try_exceeded');
  const codes = wordsIn(package23, 'PaymentIntent/properties/last_payment_error/anyOf/1/properties/code');
  const ours = [...stripe.reasons.keys()];
  expect(
    sorted(
      ours.filter((code) => STRIPE_DECLINES.includes(code)),
      general,
      atReader,
    ),
  ).toEqual(sorted(STRIPE_DECLINES));
  expect(ours.filter((code) => !STRIPE_DECLINES.includes(code) && !codes.includes(code))).toEqual([]);
});

test('the status table of Adyen has every result code of a card, the status of a modification, and events of a payment', () => {
  // Authentication alone or by a page of the merchant's, a part of the amount, vouchers and gift cards: no request asks for them.
  const elsewhere = words(`
    AuthenticationFinished AuthenticationNotRequired ChallengeShopper IdentifyShopper PartiallyAuthorised PresentToShopper
  `);
  const events = ['CHARGEBACK', 'CHARGEBACK_REVERSED', 'EXPIRE', 'PREARBITRATION_LOST', 'SECOND_CHARGEBACK'];
  expect(sorted(wordsOf(adyenConnector.statuses), elsewhere, ['Success'])).toEqual(
    sorted(
      wordsIn(checkout, 'PaymentResponse/properties/resultCode'),
      wordsIn(checkout, 'PaymentDetailsResponse/properties/resultCode'),
      wordsIn(checkout, 'PaymentCaptureResponse/properties/status'),
      events,
    ),
  );
});

test('the events of Adyen that move money of a payment of ours are told, and no others', () => {
  const { body, events } = adyenConnector.notifications ?? {};
  const codes = wordsIn(webhooks, 'CancellationNotificationRequestItem/properties/eventCode');
  const told = codes.filter((eventCode) => {
    const item = notification({ eventCode, pspReference: 'NEW', originalReference: 'OLD' });
    const settings = adyenConnector.settings.parse({
      api_key: 'k',
      merchant_account: 'm',
      hmac_key: '00112233445566778899AABBCCDDEEFF',
    });
    return events?.(body?.parse(item), { settings, raw: { path: '' } as never }).length !== 0;
  });
  expect(told).toEqual([
    'AUTHORISATION',
    'CANCELLATION',
    'CANCEL_OR_REFUND',
    'CAPTURE',
    'CAPTURE_FAILED',
    'CHARGEBACK',
    'CHARGEBACK_REVERSED',
    'EXPIRE',
    'PREARBITRATION_LOST',
    'REFUND',
    'REFUNDED_REVERSED',
    'REFUND_FAILED',
    'SECOND_CHARGEBACK',
  ]);
});

test('every refusal of Adyen has a reason, or says no more than that the card was refused', () => {
  // docs.adyen.com/development-resources/refusal-reasons: Refused, Referral, Pin validation not possible, Not Submitted, Declined Non Generic.
  const general = ['2', '3', '19', '21', '27'];
  // Accounts and PINs of a card that is read by a terminal.
  const terminal = ['33', '34', '35', '36', '37', '40', '41', '43', '44', '45'];
  // 13 and 30 are in no list.
  const all = Array.from({ length: 45 }, (_, index) => String(index + 2)).filter(
    (code) => !['13', '30'].includes(code),
  );
  expect(sorted(adyen.reasons.keys(), general, terminal)).toEqual(sorted(all));
});

test('the refunds of GOV.UK Pay have every status of its description', () => {
  expect(sorted(wordsOf(govukPayConnector.effectStatuses?.refund ?? { rows: {} }))).toEqual(
    sorted(wordsIn(factsOf('govuk-pay'), 'Refund/properties/status')),
  );
});
