import type { Merchant } from '../../merchants/directory.ts';
import type { CommandDeps } from './deps.ts';
import type { PayoutFields } from './payout-fields.ts';
import { type ReadRequest, sessionRequest, todayOf } from './session-request.ts';

/**
 * The request of a payout as a session's, with its method and the method's values checked. Whether a payee must be named is for the method
 * to say.
 */
export function payoutRequest(context: CommandDeps, { profile }: Merchant, fields: PayoutFields): ReadRequest {
  const { brand, parameters = {}, order_id, order_description = order_id, crypto_network: network } = fields;
  const parsed = sessionRequest(context, fields, {
    operation: 'credit',
    // Required of every session; no payer is redirected to it.
    successUrl: context.config.publicUrl,
    // A payout of mobile money needs no description (protocol: Mobile money payout via S2S APM); a session has one.
    more: {
      methods: [brand],
      parameters: { [brand]: parameters },
      order: { description: order_description },
      ...(network !== undefined && { crypto: { network } }),
    },
  });
  if (!parsed.ok) return parsed;
  return context.directory.registry.validateParsed(parsed.session, { today: todayOf(context), profile });
}
