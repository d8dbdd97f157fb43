import {
  address as addressShown,
  amountFields,
  amountOf,
  currency as findCurrency,
  declined,
  fromDecimal,
  isOfAnother,
  type Money,
  ofThisPayment,
  type Outcome,
  pending,
  type ProviderEvent,
  unlessTakenBefore,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import { checkAddress } from '../address-check.ts';
import { coinAmount } from '../coin-amount.ts';
import type { NetworkName } from '../networks.ts';
import { statuses, TAKEN_BEFORE } from './statuses.ts';

const address = z.object({
  id: z.string().min(1),
  reference: z.string(),
  address: z.string().max(200),
  asset: z.string(),
  network: z.string(),
  /** How much of the asset the price is, exactly; nothing where the payer chooses. */
  amount: coinAmount().optional(),
});

const worth = withAmount(z.object(amountFields));

/** One output of a transaction. */
const deposit = z.object({
  txid: z.string().min(1).max(200),
  output: z.int().nonnegative(),
  status: z.string(),
  confirmations: z.int().nonnegative(),
  asset: z.string().max(64),
  /** In the asset, with as many decimals as it has. */
  amount: amountFields.amount,
  /** The same in the currency of the price, at the rate of the moment it was seen. */
  value: worth.nullish(),
});

export const addressBody = z.object({ address });
export const depositsBody = z.object({ address, deposits: z.array(deposit) });
export const notifiedBody = z.object({ address, deposits: z.array(deposit).min(1) });
export const problemBody = z.object({ error: z.object({ code: z.string(), message: z.string().optional() }) });

type Address = z.output<typeof address>;
type Deposit = z.output<typeof deposit>;

/** The part of the request that decides whether the address in the reply is right. */
export interface Wanted {
  readonly asset: string;
  readonly network: NetworkName;
  readonly bech32: boolean;
  /** The payment is a test, so the address may be one of a test network. */
  readonly test: boolean;
  /** The network's name as the payer reads it. */
  readonly networkShown: string;
}

/** Why an address must not be shown, or nothing. */
function problemOf({ address: text, asset, network }: Address, wanted: Wanted): string | undefined {
  if (asset !== wanted.asset || network !== wanted.network) return `it is for ${asset} on ${network}`;
  const read = checkAddress(text, wanted.asset, wanted.network);
  if (read === 'unknown-asset') return 'nothing is known of its coin';
  if (!read.ok) return read.why;
  if (read.test && !wanted.test) return 'it is one of a test network';
  return wanted.bech32 && !read.bech32 ? 'it has the older form' : undefined;
}

/**
 * The outcome of the reply that made the address, checked before the payer sees it. A wrong one was never shown, so no payer can
 * have paid to it: it is declined, and another attempt may be made.
 */
export function shown(made: Address, wanted: Wanted, ours: string): Outcome {
  const problem = problemOf(made, wanted);
  const outcome =
    problem === undefined
      ? pending(
          made.id,
          addressShown({
            address: formOf(made, wanted),
            asset: made.asset,
            network: wanted.networkShown,
            ...(made.amount !== undefined && { amount: made.amount }),
          }),
        )
      : declined('soft', 'provider_error', {
          reason: 'The provider gave an address that cannot be used.',
          providerReference: made.id,
          provider: { message: `Address refused: ${problem}` },
        });
  return ofThisPayment(outcome, [{ asked: ours, said: made.reference }]);
}

/** The usual form, with the capitals or the prefix that wallets know. */
function formOf({ address: text }: Address, { asset, network }: Wanted): string {
  const read = checkAddress(text, asset, network);
  return read !== 'unknown-asset' && read.ok ? read.address : text;
}

/** The deposits of an address; nothing where the reply is of another one. */
export function eventsOf(
  { address: to, deposits }: z.output<typeof depositsBody>,
  confirmations: number,
  asked?: { readonly id: string; readonly reference: string },
): readonly ProviderEvent[] {
  const other = isOfAnother([
    { asked: asked?.id, said: to.id },
    { asked: asked?.reference, said: to.reference },
  ]);
  return other ? [] : deposits.flatMap((each) => eventOf(to, each, confirmations));
}

function eventOf(to: Address, deposit: Deposit, confirmations: number): ProviderEvent[] {
  const meaning = statuses.rows[deposit.status];
  const amount = worthOf(to, deposit);
  if (amount === undefined) return [];
  return [
    {
      // One transaction may pay one address by several of its outputs.
      id: `${deposit.txid}:${deposit.output}`,
      kind: 'deposit',
      providerReference: to.id,
      merchantReference: to.reference,
      provider: { status: deposit.status, message: `${deposit.amount} ${deposit.asset}` },
      amount,
      confirmed: meaning === 'settled' && deposit.confirmations >= confirmations,
      ...(typeof meaning === 'object' && { rejected: true }),
    },
  ];
}

/**
 * A deposit of the asset counts with its value in the currency of the price, one of another asset, or without a value, as what it is. An
 * amount that no money can say (an unknown asset, more digits than the asset has) is worth nothing. What is not in the order's currency, or nothing,
 * is set aside for a person, and hides no deposit beside it.
 */
function worthOf(to: Address, { asset, amount, value }: Deposit): Money | undefined {
  const own = asset === to.asset && value ? value : { amount, currency: asset };
  if (worth.safeParse(own).success) return amountOf(own);
  return findCurrency(to.asset) === undefined ? undefined : fromDecimal('0', to.asset);
}

/** A request that the provider did not take. */
export function refusal({ error: { code, message } }: z.output<typeof problemBody>): Outcome {
  const refused = declined('hard', 'declined_by_provider', {
    reason: 'The provider refused the request.',
    provider: { code, ...(message !== undefined && { message }) },
  });
  return unlessTakenBefore(refused, TAKEN_BEFORE);
}
