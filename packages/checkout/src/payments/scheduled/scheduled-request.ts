import { money } from '@railyard/core';
import type { Day, SessionRequest } from '@railyard/core/protocol';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { AcceptedCommand } from '../../sessions/stored-request.ts';
import type { Payment } from '../../storage/index.ts';

/** Protocol: order.number; a day and its hyphen are 11 of them. */
const MOST_OF_NUMBER = 255 - 11;

/**
 * The order number of the charge of a due day.
 *
 * @example scheduledNumber('ORDER-1', '2027-02-28') // 'ORDER-1-2027-02-28'
 */
export const scheduledNumber = (first: string, day: Day): string =>
  `${[...first].slice(0, MOST_OF_NUMBER).join('')}-${day}`;

/** The request of the charge of a due day: as the merchant's of the first payment, with the amount of later ones. */
export function scheduledRequest({ request }: OpenSession, first: Payment, day: Day): SessionRequest {
  const { merchant_key, operation, success_url, hash, session_expiry, order, schedule_id } = request;
  const { customer, billing_address, custom_data, channel_id } = request;
  const text = request.payment_schedule_amount ?? order.amount;
  if (text === undefined) throw new Error(`Payment ${first.id}: its schedule has no amount.`);
  return {
    merchant_key,
    operation,
    success_url,
    hash,
    session_expiry,
    order: { ...order, number: scheduledNumber(order.number, day), amount: text },
    amount: money(text, order.currency),
    methods: [first.methodAlias],
    req_token: false,
    auth: false,
    recurring_init: false,
    recurring_consent_required: false,
    vat_calc: false,
    ...(schedule_id !== undefined && { schedule_id }),
    ...(customer && { customer }),
    ...(billing_address && { billing_address }),
    ...(custom_data && { custom_data }),
    ...(channel_id !== undefined && { channel_id }),
  };
}

const ACTIONS = { SALE: 'RECURRING_SALE', DEBIT: 'RECURRING_DEBIT' } as const;

/** A chain that a command began is called back in the words of commands, to the address of its first payment. */
export function scheduledCommand({ command }: OpenSession): AcceptedCommand | undefined {
  if (command === undefined) return undefined;
  const { action, protocol, callbackUrl } = command;
  return {
    action: action === 'DEBIT' ? ACTIONS.DEBIT : ACTIONS.SALE,
    ...(protocol && { protocol }),
    ...(callbackUrl !== undefined && { callbackUrl }),
  };
}
