import { describe, expect, it } from 'vitest';
import { isUpiAddress } from '../src/upi-address.ts';

describe('a UPI address', () => {
  it.each([
    // Chromium, components/autofill/core/browser/validation_unittest.cc.
    'user.name-1@upi',
    'user.name-1@hdfcbank',
    '12345@HDFC0000001.ifsc.npci',
    '234567890123@aadhaar.npci',
    '9800011111@mobile.npci',
    '1234123412341234@rupay.npci',
    // razorpay.com/docs/payments/vpa-validation.
    'gauravkumar@exampleupi',
    // razorpay.com/docs/api/payments/tpap-pro/customer-onboarding/vpa-availability.
    '9000090000@airtelbank',
    // developer.phonepe.com/v1/reference/php-custom-upi-collect.
    'abc@ybl',
    // qr.abundera.ai/standards/upi.
    'alice@oksbi',
  ])('is %s', (text) => {
    expect(isUpiAddress(text)).toBe(true);
  });

  it.each([
    // Chromium, as above: no user, no bank, an e-mail, a sign that no user has.
    'upi',
    'upi@',
    '@upi',
    'user@upi.com',
    '~user@upi',
    '',
    ' ',
    'user@up i',
    'us er@upi',
    'user@@upi',
    'user@upi@upi',
    'user@up-i',
    'user@npci.ifsc',
    'user@.npci',
    'user@upi\n',
    'ünal@upi',
  ])('is not %j', (text) => {
    expect(isUpiAddress(text)).toBe(false);
  });

  it('may be long', () => {
    expect(isUpiAddress(`${'a'.repeat(254)}@upi`)).toBe(true);
  });
});
