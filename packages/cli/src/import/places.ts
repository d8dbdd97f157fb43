import type { Sample } from './sample.ts';
import { NoSample } from './sample.ts';
import type { Shape } from './shape.ts';

/** A value of a body that is no object and no list, by its dotted place; of a list the first one. */
export interface Leaf {
  readonly place: string;
  readonly shape: Shape;
}

/** The facts that a simulated provider needs to find in requests and replies. */
export type PlaceName = 'merchantReference' | 'id' | 'amount' | 'currency' | 'status' | 'returnUrl' | 'notifyUrl';

/** Names that fields of providers have, without their signs and in small letters; the likeliest first. */
const NAMES: Readonly<Record<PlaceName, readonly string[]>> = {
  merchantReference:
    'merchantreference reference referenceid externalreference externalid clientreference merchanttransactionid orderid ordernumber txid customid'.split(
      ' ',
    ),
  id: 'id pspreference paymentid transactionid chargeid captureid refundid paymentpspreference uuid'.split(' '),
  amount: 'amountvalue amount value totalamount total'.split(' '),
  currency: 'currency currencycode'.split(' '),
  status: 'status state resultcode paymentstatus transactionstatus'.split(' '),
  returnUrl: 'returnurl redirecturl successurl returnuri redirecturi'.split(' '),
  notifyUrl: 'notifyurl notificationurl callbackurl webhookurl'.split(' '),
};

export const plainName = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();

export function leavesOf(shape: Shape, place = ''): readonly Leaf[] {
  const below = (name: string) => (place === '' ? name : `${place}.${name}`);
  switch (shape.kind) {
    case 'object':
      return shape.fields.flatMap(({ name, shape: of }) => leavesOf(of, below(name)));
    case 'list':
      return leavesOf(shape.of, below('0'));
    case 'either':
      return shape.of[0] === undefined ? [] : leavesOf(shape.of[0], place);
    case 'undecided':
      return leavesOf(shape.example, place);
    default:
      return [{ place, shape }];
  }
}

/** The leaf with the likeliest name, the one nearest to the top where several have it. */
export function placeOf(leaves: readonly Leaf[], wanted: PlaceName): Leaf | undefined {
  const depth = ({ place }: Leaf) => place.split('.').filter((part) => !/^\d+$/.test(part)).length;
  const sorted = leaves
    .filter(({ shape }) => shape.kind !== 'flag')
    .toSorted((one, other) => depth(one) - depth(other));
  for (const name of NAMES[wanted]) {
    const found = sorted.find(({ place, shape }) => {
      const [own = '', above = ''] = place.split('.').toReversed().map(plainName);
      // A value by itself may be anything: `amount.value`, and not `card.value`.
      if (wanted === 'amount' && own === 'value') return isAmount(above);
      if (wanted === 'id') return own === name && shape.kind === 'text' && depth({ place, shape }) < 3;
      return own === name || (wanted === 'amount' && own.endsWith('amount') && name === 'amount');
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

const isAmount = (name: string): boolean => name.endsWith('amount') || name === 'total' || name === 'price';

/** Of the name of a place of the path: whether it holds the merchant side's own reference. */
export const isOurs = (name: string): boolean => NAMES.merchantReference.includes(plainName(name));

/** A sample with another value at a dotted place; as it is where it has no such place. */
export function withAt(sample: Sample, place: string, value: Sample): Sample {
  const [name = '', ...rest] = place.split('.');
  if (typeof sample !== 'object' || sample === null || sample instanceof NoSample) return sample;
  const change = (each: Sample) => (rest.length === 0 ? value : withAt(each, rest.join('.'), value));
  if (isList(sample)) return sample.map((each, index) => (String(index) === name ? change(each) : each));
  return Object.fromEntries(Object.entries(sample).map(([key, each]) => [key, key === name ? change(each) : each]));
}

const isList = (value: Sample): value is readonly Sample[] => Array.isArray(value);
