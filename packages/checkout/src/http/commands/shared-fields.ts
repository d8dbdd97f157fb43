import { TEXTS } from '@railyard/core';
import * as z from 'zod';
import { requiredText } from '../basics/signed-request.ts';

/** A part of a person's name: any letters (reference: S2S APM, SALE; the session's Latin letters are the page's rule). */
export const namePart = requiredText.max(32, TEXTS.tooLong(32));

/** The fields of the payer that a session has no place for, and where they are on the internet; the others go where `SESSION_PATHS` says. */
export const payerFields = {
  payer_first_name: namePart.optional(),
  payer_middle_name: namePart.optional(),
  payer_last_name: namePart.optional(),
  payer_address2: requiredText.optional(),
  payer_ip: z.union([z.ipv4(), z.ipv6()], { error: TEXTS.ip }).optional(),
};

/** The name of who is paid. */
export const payeeNames = {
  payee_first_name: namePart.optional(),
  payee_middle_name: namePart.optional(),
  payee_last_name: namePart.optional(),
};

/** Nested values in brackets. */
export const nested = z.record(z.string(), z.unknown(), TEXTS.type('object'));
