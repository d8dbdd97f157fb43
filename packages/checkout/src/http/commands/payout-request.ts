import { TEXTS } from '@railyard/core';
import { type Issue, issue, type SessionRequest } from '@railyard/core/protocol';
import { addressProblem } from '../../deployment/address-rules.ts';
import type { Merchant } from '../../merchants/directory.ts';
import type { CommandDeps } from './deps.ts';
import { type PayoutFields, SESSION_PATHS } from './payout-fields.ts';

type ReadRequest =
  | { readonly ok: true; readonly session: SessionRequest }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Holds the page's rule for the name of a payee while the rest is read. */
const ANY_NAME = 'Payee';

/**
 * The request of a payout as a session's, with its method and the method's values checked. Names are in any letters and 32 characters each;
 * whether a payee must be named is for the method to say.
 */
export function payoutRequest(context: CommandDeps, { profile }: Merchant, fields: PayoutFields): ReadRequest {
  const { registry } = context.directory;
  const today = new Date(context.now()).toISOString().slice(0, 10);
  const parsed = registry.parse(sessionInput(context, fields), { today });
  if (!parsed.ok) return parsed;
  const { payee, ...session } = parsed.session;
  const name = fullName(fields.payee_first_name, fields.payee_middle_name, fields.payee_last_name);
  const named = { ...session, ...(payee && name !== undefined && { payee: { ...payee, name } }) };
  return registry.validateParsed(named, { today, profile });
}

function sessionInput({ config }: CommandDeps, fields: PayoutFields): Readonly<Record<string, unknown>> {
  const { client_key, hash, brand, parameters = {}, custom_data, channel_id, order_id } = fields;
  const customer = fullName(fields.payer_first_name, fields.payer_last_name);
  const blocks: Record<string, Record<string, unknown>> = {
    // A payout of mobile money needs no description (protocol: Mobile money payout via S2S APM); a session has one.
    order: { description: order_id },
    payee: { name: ANY_NAME },
    ...(customer !== undefined && { customer: { name: customer } }),
  };
  for (const [field, path] of Object.entries(SESSION_PATHS)) {
    const [block = '', name = ''] = path.split('.');
    if (fields[field] !== undefined) blocks[block] = { ...blocks[block], [name]: fields[field] };
  }
  return {
    merchant_key: client_key,
    operation: 'credit',
    // Required of every session; no payer is redirected to it.
    success_url: config.publicUrl,
    hash,
    methods: [brand],
    parameters: { [brand]: parameters },
    ...blocks,
    ...(channel_id !== undefined && { channel_id }),
    ...(custom_data !== undefined && { custom_data }),
  };
}

function fullName(...parts: readonly (string | undefined)[]): string | undefined {
  const given = parts.filter((part) => part !== undefined);
  return given.length === 0 ? undefined : given.join(' ');
}

/**
 * Problems with the address of this payment's callbacks (reference: callback_url): the rules for the merchant's own address
 * apply, and the merchant needs a secret to sign the callbacks.
 */
export function callbackUrlIssues(
  { config }: CommandDeps,
  { config: merchant }: Merchant,
  { callback_url }: PayoutFields,
): Issue[] {
  if (callback_url === undefined) return [];
  if (addressProblem(callback_url, config.callbackNetwork) !== undefined) return [issue('callback_url', TEXTS.url)];
  return merchant.callbackSecret === undefined ? [issue('callback_url', NO_SECRET)] : [];
}

const NO_SECRET = 'Callbacks are signed, and this merchant has no secret for callbacks.';
