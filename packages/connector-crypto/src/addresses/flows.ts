import {
  call,
  decimal,
  declined,
  type FlowContext,
  type LookedUpPayment,
  type Outcome,
  type PaymentInput,
  type SpecOf,
  type StatusReport,
  type Steps,
  unknown,
} from '@railyard/core';
import { hasNewerForm, isCoin, networksOf } from '../assets.ts';
import type { cryptoReceive, cryptoReceiveFiat, cryptoWallet } from '../methods.ts';
import { isElsewhere, isNetwork, type NetworkName, networkNamed, networks } from '../networks.ts';
import { createAddress, findAddress, listDeposits } from './endpoints.ts';
import { eventsOf, refusal, shown, type Wanted } from './replies.ts';
import type { Settings } from './settings.ts';

type Context = FlowContext<Settings>;
type Lookup = Pick<Context, 'settings'> & { readonly payment: LookedUpPayment };
type Purchase = PaymentInput<SpecOf<typeof cryptoWallet | typeof cryptoReceive | typeof cryptoReceiveFiat, 'purchase'>>;

/** Makes an address and shows it. The payer may send to it any number of times. */
export function* purchase({ payment, settings, urls }: Context & { readonly payment: Purchase }): Steps<Outcome> {
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
    ? refusal(answer.body)
    : shown(answer.body.address, wanted, payment.merchantReference);
}

/** The coin, the network and the form of an address; nothing where the request names networks that do not go together. */
export function wantedBy({ parameters, needed, order, test }: Purchase): Wanted | undefined {
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
export function* status({ payment, settings }: Lookup): Steps<StatusReport> {
  const { providerReference: id, merchantReference: reference } = payment;
  if (id === undefined) return yield* findShown(payment);
  const answer = yield* call(listDeposits, id);
  // Not found is no decline: coins may be on their way to the address.
  if (answer.reply === 'absent') return notThere();
  return { events: eventsOf(answer.body, settings.confirmations, { id, reference }) };
}

function* findShown({ merchantReference: reference, order, test }: LookedUpPayment): Steps<Outcome> {
  const answer = yield* call(findAddress, reference);
  if (answer.reply === 'absent') return notThere();
  const { asset, network } = answer.body.address;
  if (!isNetwork(network) || (isCoin(order.currency) && asset !== order.currency)) return notThere();
  const wanted = { asset, network, bech32: false, test, networkShown: networks[network].label };
  return shown(answer.body.address, wanted, reference);
}

const notThere = (): Outcome => unknown('The provider does not know this payment.');
