import { readPath } from '@railyard/core';
import type { SimulatedCourse, SimulatedRequest } from '@railyard/core/simulation';

const TEST_CARD = '4111111111111111';
const PAYOUT_CARD = '4601541833776519';

/** The course of a payment with the test card, by its expiry (reference: Test data; S2S CARD, Test cards). */
const COURSES: ReadonlyMap<string, SimulatedCourse> = new Map<string, SimulatedCourse>([
  ['01/2038', { starts: 'settled' }],
  ['02/2038', { starts: 'declined' }],
  ['03/2038', { starts: 'settled', declines: ['capture'] }],
  ['05/2038', { starts: 'challenged', leadsTo: 'settled', finishedBy: 'merchant' }],
  ['06/2038', { starts: 'challenged', leadsTo: 'declined', finishedBy: 'merchant' }],
  ['12/2038', { starts: 'challenged', leadsTo: 'settled' }],
  ['12/2039', { starts: 'challenged', leadsTo: 'declined' }],
]);

/** A card that no brand has given out. */
const NO_BRAND = '1111222233334444';
const refused = {
  refused: {
    status: 422,
    body: { code: 'brand_not_supported', message: 'Bad Request. Brand of card does not support.' },
  },
} as const;

/** The course of a request that its card decides; for other cards the scenario decides. */
export function courseOfCard({ endpoint, body, params }: SimulatedRequest): SimulatedCourse | undefined {
  const number = readPath(body, 'card.number');
  if (endpoint === 'create-wallet-payment' && number === undefined) return { starts: 'challenged', leadsTo: 'settled' };
  if (endpoint === 'charge-agreement' || endpoint === 'authorize-agreement')
    return isAgreement(params.agreement_id) ? { starts: 'settled' } : { refused: { status: 422, body: NO_AGREEMENT } };
  // The simulated acquirer opens no tokens.
  if (number === undefined && readPath(body, 'wallet.token') !== undefined) return { starts: 'settled' };
  if (number === NO_BRAND) return refused;
  if (number === PAYOUT_CARD && endpoint === 'create-payout') return { starts: 'settled' };
  const course = number === TEST_CARD ? COURSES.get(expiryOf(body)) : undefined;
  const isAuthenticated = course !== undefined && 'finishedBy' in course;
  if (isAuthenticated && 'leadsTo' in course && readPath(body, 'three_d_secure.cryptogram') !== undefined)
    return { starts: course.leadsTo };
  if (!isAuthenticated || describesBrowser(body)) return course;
  if (!hasNoBrowser(body)) return NO_BROWSER;
  const { finishedBy: _, ...byRedirect } = course;
  return byRedirect;
}

/** Nothing is said of the browser: the acquirer's own page describes it and authenticates the payer. */
export const hasNoBrowser = (body: unknown): boolean => readPath(body, 'payer.browser') === undefined;

/** Without scripts a browser says less (EMV 3-D Secure 2: fields that are conditional on browserJavascriptEnabled). */
function describesBrowser(body: unknown): boolean {
  const has = (name: string) => readPath(body, `payer.browser.${name}`) !== undefined;
  const always = ['user_agent', 'accept', 'java_script_enabled'];
  return always.every(has) && (readPath(body, 'payer.browser.java_script_enabled') === false || BY_SCRIPT.every(has));
}

const BY_SCRIPT = ['language', 'java_enabled', 'color_depth', 'screen_height', 'screen_width', 'time_zone_offset'];

const NO_BROWSER = {
  refused: {
    status: 422,
    body: { code: 'browser_incomplete', message: 'The browser has to be described for 3-D Secure.' },
  },
} as const;

const NO_AGREEMENT = { code: 'unknown_agreement', message: 'There is no such agreement.' };

/** The expiry of the card in a request, `MM/YYYY`. */
export function expiryOf(body: unknown): string {
  return `${String(readPath(body, 'card.expiry_month'))}/${String(readPath(body, 'card.expiry_year'))}`;
}

/** Only the card of 01/38 gives agreements for further charges. */
export const agreementOf = (id: string) => `agr_${id}`;
const isAgreement = (text: string | undefined) => text?.startsWith('agr_') === true;

export const givesAgreement = (body: unknown) =>
  expiryOf(body) === '01/2038' && readPath(body, 'stored_credential.use') === 'first';
