import { TEXTS } from '@railyard/core';
import * as z from 'zod';
import { requiredText } from '../basics/signed-request.ts';

/** A part of a person's name: any letters (reference: S2S APM, SALE; the session's Latin letters are the page's rule). */
export const namePart = requiredText.max(32, TEXTS.tooLong(32));

/** Nested values in brackets. */
export const nested = z.record(z.string(), z.unknown(), TEXTS.type('object'));

/** The payer's address on the internet. */
export const address = z.union([z.ipv4(), z.ipv6()], { error: TEXTS.ip });
