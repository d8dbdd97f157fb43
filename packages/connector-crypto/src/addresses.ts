import {
  address as addressShown,
  amountOf,
  call,
  type ContextOf,
  currency as findCurrency,
  decimal,
  declined,
  defineConnector,
  type FlowContext,
  fromDecimal,
  isOfAnother,
  type LookedUpPayment,
  type Money,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  pending,
  type ProviderEvent,
  refusedBy,
  type StatusReport,
  type Steps,
  timestampedHmac,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { checkAddress, type FoundAddress } from './address-check.ts';
import { sampleNotifications } from './addresses.samples.ts';
import { hasNewerForm, isCoin, networksOf } from './assets.ts';
import { cryptoReceive, cryptoReceiveFiat, cryptoWallet } from './methods.ts';
import { isElsewhere, isNetwork, type NetworkName, networkNamed, networks } from './networks.ts';
import {
  SOURCE,
  settings,
  statuses,
  TAKEN_BEFORE,
  type Address,
  worth,
  deposit,
  type Deposit,
  depositsBody,
  createAddress,
  findAddress,
  listDeposits,
  endpoints,
} from './addresses-endpoints.ts';

// Meaning of replies.

/** The part of the request that decides whether the address in the reply is right. */
interface Wanted {
  readonly asset: string;
  readonly network: NetworkName;
  readonly bech32: boolean;
  /** The payment is a test, so the address may be one of a test network. */
  readonly test: boolean;
  /** The network's name as the payer reads it. */
  readonly networkShown: string;
}

/** An address in its usual form, or why it must not be shown. */
function read({ address: text, asset, network }: Address, wanted: Wanted): FoundAddress | string {
  if (asset !== wanted.asset || network !== wanted.network) return `it is for ${asset} on ${network}`;
  const found = checkAddress(text, wanted.asset, wanted.network);
  if (found === 'unknown-asset') return 'nothing is known of its coin';
  if (!found.ok) return found.why;
  if (found.test && !wanted.test) return 'it is one of a test network';
  return wanted.bech32 && !found.bech32 ? 'it has the older form' : found;
}

/**
 * The outcome of the reply that made the address, checked before the payer sees it. A wrong one was never shown, so no payer can
 * have paid to it: it is declined, and another attempt may be made.
 */
function shown(made: Address, wanted: Wanted, merchantReference: string): Outcome {
  const found = read(made, wanted);
  const outcome =
    typeof found === 'object'
      ? pending(
          made.id,
          addressShown({
            address: found.address,
            asset: made.asset,
            network: wanted.networkShown,
            ...(made.amount !== undefined && { amount: made.amount }),
          }),
        )
      : declined('soft', 'provider_error', {
          reason: 'The provider gave an address that cannot be used.',
          providerReference: made.id,
          provider: { message: `Address refused: ${found}` },
        });
  return ofThisPayment(outcome, { merchantReference }, made.reference);
}

/** The deposits of an address; nothing where the reply is of another one. */
function eventsOf(
  { address: to, deposits }: z.output<typeof depositsBody>,
  confirmations: number,
  asked: { readonly providerReference?: string | undefined; readonly merchantReference?: string } = {},
): readonly ProviderEvent[] {
  const other = isOfAnother(asked, { providerReference: to.id, merchantReference: to.reference });
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
 * is set aside for an operator, and hides no deposit beside it.
 */
function worthOf(to: Address, { asset, amount, value }: Deposit): Money | undefined {
  const own = asset === to.asset && value ? value : { amount, currency: asset };
  if (worth.safeParse(own).success) return amountOf(own);
  return findCurrency(to.asset) === undefined ? undefined : fromDecimal('0', to.asset);
}

/** One per transaction and block, until the last one counts; a transaction may pay the address by several outputs. */
const notifications = notificationsFor(settings)({
  verify: timestampedHmac(({ webhook_secret }) => webhook_secret),
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  items: 'deposits.*',
  body: depositsBody.extend({ deposits: z.array(deposit).min(1) }),
  events: (body, { settings }) => eventsOf(body, settings.confirmations),
  acknowledge: { status: 204 },
  examples: sampleNotifications.map((body) => ({ body, source: SOURCE })),
});

// The connector.

type Context = FlowContext<z.output<typeof settings>>;
type Lookup = Pick<Context, 'settings'> & { readonly payment: LookedUpPayment };
type Purchase = ContextOf<
  z.output<typeof settings>,
  typeof cryptoWallet | typeof cryptoReceive | typeof cryptoReceiveFiat,
  'purchase'
>['payment'];

/** Makes an address and shows it. The payer may send to it any number of times. */
function* purchase({ payment, settings, urls }: Context & { readonly payment: Purchase }): Steps<Outcome> {
  const { parameters, needed, order, amount } = payment;
  const wanted = wantedBy(payment);
  // Said before the provider is asked: no address is worth a payment on the wrong network.
  if (wanted === undefined)
    return declined('hard', 'not_supported', { reason: 'The network asked for is none of the coin’s.' });
  const answer = yield* call(createAddress, {
    reference: payment.merchantReference,
    asset: wanted.asset,
    network: wanted.network,
    format: wanted.bech32 ? 'newer' : 'older',
    account: parameters.accountId ?? needed.accountId,
    price: { amount: amount === 'payer' ? undefined : decimal(amount), currency: order.currency },
    confirmations: settings.confirmations,
    notify_url: urls.notify,
  });
  return answer.reply === 'refused'
    ? refusedBy(answer.body.error, TAKEN_BEFORE)
    : shown(answer.body.address, wanted, payment.merchantReference);
}

/** The coin, the network and the form of an address; nothing where the request names networks that do not go together. */
function wantedBy({ parameters, needed, order, test }: Purchase): Wanted | undefined {
  const asset = isCoin(order.currency) ? order.currency : (parameters.crypto_type ?? '');
  const label = needed['crypto.network'];
  const named = label === undefined ? undefined : networkNamed(label);
  const known = networksOf(asset);
  const network = parameters.network_type ?? named ?? known?.[0];
  if (network === undefined || known?.includes(network) !== true) return undefined;
  if (named === undefined ? isElsewhere(label) : named !== network) return undefined;
  const bech32 = parameters.bech32 === true && hasNewerForm(asset);
  return { asset, network, bech32, test, networkShown: networkShown(network, label) };
}

/** Our own name of the network, and beside it the merchant's where it is one that we do not know. */
function networkShown(network: NetworkName, label: string | undefined): string {
  const own = networks[network].label;
  return label === undefined || networkNamed(label) !== undefined ? own : `${own}, ${label}`;
}

/** The deposits at the address. After a lost reply the address itself: the payer has not seen it. */
function* status({ payment, settings }: Lookup): Steps<StatusReport> {
  const { providerReference: id } = payment;
  if (id === undefined) return yield* findShown(payment);
  const answer = yield* call(listDeposits, id);
  // No decline: coins may be on their way to the address.
  if (answer.reply === 'absent') return notFound(answer.body.error);
  return { events: eventsOf(answer.body, settings.confirmations, payment) };
}

function* findShown({ merchantReference: reference, order, test }: LookedUpPayment): Steps<Outcome> {
  const answer = yield* call(findAddress, reference);
  if (answer.reply === 'absent') return notFound(answer.body.error);
  const { asset, network } = answer.body.address;
  if (!isNetwork(network) || (isCoin(order.currency) && asset !== order.currency)) return notFound();
  const wanted = { asset, network, bech32: false, test, networkShown: networks[network].label };
  return shown(answer.body.address, wanted, reference);
}

/** Coins received at addresses, one for each payment. */
export const addressesConnector = defineConnector({
  id: 'crypto-addresses',
  contract: 1,
  version: manifest.version,
  title: 'Crypto, address provider',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(cryptoWallet, { purchase, status }),
    serve(cryptoReceive, { purchase, status }),
    serve(cryptoReceiveFiat, { purchase, status }),
  ],
});
