import type { Operation } from '@railyard/core';
import { type Issue, type ParseSessionOptions, type SessionRequest } from '@railyard/core/protocol';
import type { AcceptedCommand } from '../../sessions/stored-request.ts';
import type { CommandDeps } from './deps.ts';

/** Field → its place in a session request. */
export const SESSION_PATHS = {
  order_id: 'order.number',
  order_amount: 'order.amount',
  order_currency: 'order.currency',
  order_description: 'order.description',
  payee_email: 'payee.email',
  payee_country: 'payee_billing_address.country',
  payee_state: 'payee_billing_address.state',
  payee_city: 'payee_billing_address.city',
  payee_district: 'payee_billing_address.district',
  payee_address: 'payee_billing_address.address',
  payee_house_number: 'payee_billing_address.house_number',
  payee_zip: 'payee_billing_address.zip',
  payee_phone: 'payee_billing_address.phone',
  payer_email: 'customer.email',
  payer_birth_date: 'customer.birth_date',
  payer_country: 'billing_address.country',
  payer_state: 'billing_address.state',
  payer_city: 'billing_address.city',
  payer_district: 'billing_address.district',
  payer_address: 'billing_address.address',
  payer_house_number: 'billing_address.house_number',
  payer_zip: 'billing_address.zip',
  payer_phone: 'billing_address.phone',
  payer_phone_country_code: 'billing_address.phone_country_code',
} as const;

const SENT_AS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...Object.entries(SESSION_PATHS).map(([field, path]) => [path, [field]] as const),
  ['methods', ['brand']],
  ['payee', ['payee_first_name', 'payee_last_name']],
  ['payee.name', ['payee_first_name', 'payee_last_name']],
  ['customer.name', ['payer_first_name', 'payer_last_name']],
]);

/**
 * An issue of a session request as a command names its fields: `parameters.pix.key` is `parameters[key]`.
 *
 * @param keys of the methods under which the parameters of the command stand
 */
export function asSent({ path, message, code }: Issue, ...keys: readonly string[]): Issue[] {
  const within = keys.map((key) => `parameters.${key}.`).find((each) => path.startsWith(each));
  const fields = within
    ? [
        path
          .slice(within.length)
          .split('.')
          .reduce((name, part) => `${name}[${part}]`, 'parameters'),
      ]
    : (SENT_AS.get(path) ?? [path]);
  return fields.map((field) => ({ path: field, message, code }));
}

export type ReadRequest =
  | { readonly ok: true; readonly session: SessionRequest }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Holds the page's rule for names while the rest is read: those of commands are in any letters, 32 characters each. */
const ANY_NAME = 'Name';

export type CommandFields = Readonly<Record<string, unknown>> & { readonly client_key: string; readonly hash: string };

export interface SessionOf {
  readonly operation: Operation;
  /** Where the payer comes back to; of what has no payer, anything. */
  readonly successUrl: string;
  /** Fields of the session that have no place in `SESSION_PATHS`. */
  readonly more: Readonly<Record<string, unknown>>;
  readonly options?: Omit<ParseSessionOptions, 'today'>;
}

/** The request of a command as a session's, its own fields checked; issues are under the session's paths (`asSent`). */
export function sessionRequest(
  context: CommandDeps,
  fields: CommandFields,
  { operation, successUrl, more, options }: SessionOf,
): ReadRequest {
  const payer = nameOf(fields, 'payer');
  const payee = nameOf(fields, 'payee');
  const blocks: Record<string, Record<string, unknown>> = {
    ...(payer !== undefined && { customer: { name: ANY_NAME } }),
    ...((payee !== undefined || operation === 'credit' || operation === 'transfer') && { payee: { name: ANY_NAME } }),
  };
  for (const [field, path] of Object.entries(SESSION_PATHS)) {
    const [block = '', name = ''] = path.split('.');
    if (fields[field] !== undefined) blocks[block] = { ...blocks[block], [name]: fields[field] };
  }
  const { client_key, hash, channel_id, custom_data } = fields;
  const input = {
    merchant_key: client_key,
    operation,
    success_url: successUrl,
    hash,
    ...blocks,
    ...(channel_id !== undefined && { channel_id }),
    ...(custom_data !== undefined && { custom_data }),
    ...more,
    order: { ...blocks['order'], ...Object(more['order']) },
  };
  const parsed = context.directory.registry.parse(input, { ...options, today: todayOf(context) });
  return parsed.ok ? { ok: true, session: withNames(parsed.session, { payer, payee }) } : parsed;
}

export const todayOf = ({ now }: Pick<CommandDeps, 'now'>): string => new Date(now()).toISOString().slice(0, 10);

function withNames(
  { customer, payee, ...session }: SessionRequest,
  names: { readonly payer: string | undefined; readonly payee: string | undefined },
): SessionRequest {
  return {
    ...session,
    ...(customer && { customer: { ...customer, ...(names.payer !== undefined && { name: names.payer }) } }),
    // A payee without a name is none.
    ...(payee && names.payee !== undefined && { payee: { ...payee, name: names.payee } }),
  };
}

/** The name of a party in one piece. */
export function nameOf(fields: Readonly<Record<string, unknown>>, party: 'payer' | 'payee'): string | undefined {
  const given = ['first', 'middle', 'last'].flatMap((part) => {
    const name = fields[`${party}_${part}_name`];
    return typeof name === 'string' ? [name] : [];
  });
  return given.length === 0 ? undefined : given.join(' ');
}

/** The fields of the payer that a session has no place for. */
export function keptOfPayer(fields: Readonly<Record<string, unknown>>): NonNullable<AcceptedCommand['payer']> {
  const names = ['payer_first_name', 'payer_last_name', 'payer_address2'] as const;
  return Object.fromEntries(names.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : [])));
}
