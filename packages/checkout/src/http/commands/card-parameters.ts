import type { Operation } from '@railyard/core';
import type { Issue, SessionRequest } from '@railyard/core/protocol';
import type { Merchant } from '../../merchants/directory.ts';
import type { CommandDeps } from './deps.ts';
import { type CommandFields, type ReadRequest, type SessionOf, sessionRequest, todayOf } from './session-request.ts';

/** The merchant's methods that a command without a `brand` is paid by, a card's or a wallet's. */
export function keysBy(
  means: 'card' | 'wallet',
  { directory }: Pick<CommandDeps, 'directory'>,
  { config, profile }: Merchant,
  operation: Operation,
): readonly string[] {
  return config.methods.flatMap(({ key }) => {
    const { card = false, wallet = false } = directory.registry.find(key, profile)?.operations[operation] ?? {};
    return (means === 'card' ? card !== false : wallet) ? [key] : [];
  });
}

type Fields = CommandFields & { readonly parameters?: Readonly<Record<string, unknown>> | undefined };

/**
 * The request of such a command. Its parameters name no method, so they stand in the session under each of the keys (protocol: Card method
 * parameter sets, `parameters[name]` is `parameters.card.name`).
 */
export function requestByCard(
  context: CommandDeps,
  merchant: Merchant,
  fields: Fields,
  { keys, more, ...of }: SessionOf & { readonly keys: readonly string[] },
): ReadRequest {
  const { parameters } = fields;
  if (parameters === undefined) return sessionRequest(context, fields, { ...of, more });
  const under = Object.fromEntries(keys.map((key) => [key, parameters]));
  const read = sessionRequest(context, fields, { ...of, more: { ...more, parameters: under } });
  if (!read.ok) return read;
  const issues = parameterIssues(context, merchant, read.session, keys);
  return issues.length === 0 ? read : { ok: false, issues };
}

/** The faults of the parameters by the first method, where none of them takes the parameters: to the routing a wrong one is a lack of accounts. */
function parameterIssues(
  context: CommandDeps,
  { profile }: Merchant,
  session: SessionRequest,
  keys: readonly string[],
): readonly Issue[] {
  const today = todayOf(context);
  const found = keys.map((key) => {
    const checked = context.directory.registry.validateParsed({ ...session, methods: [key] }, { today, profile });
    return checked.ok ? [] : checked.issues.filter(({ path }) => path.startsWith(`parameters.${key}.`));
  });
  return found.some((issues) => issues.length === 0) ? [] : (found[0] ?? []);
}
