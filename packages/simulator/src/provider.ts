import { readPath } from '@railyard/core';
import type { SimulatedEndpoint } from '@railyard/core/simulation';
import { modifyPayment } from './modify-payment.ts';
import { type RoutedReply, type RoutedRequest, named } from './routed-request.ts';
import type { Bank } from './bank.ts';
import { type Matched, matchEndpoints } from './match-endpoint.ts';
import type { Mount } from './mount.ts';
import { complete, open, renew, withdraw } from './open-payment.ts';
import { fits, type Received, textAt } from './places.ts';
import { withIdempotency, untilItArrives } from './idempotency.ts';
import { absentReply, jsonReply, listReply, paymentReply, plainReply, type Reply } from './reply.ts';
import type { State } from './records.ts';
import type { Rules } from './rules.ts';
import { callProof } from './sign.ts';

export interface ProviderRequest extends Omit<Received, 'params'> {
  readonly method: string;
  /** Below the mount. */
  readonly path: string;
  readonly text: string;
}

/**
 * Answers a request as the provider would.
 *
 * @param isLate its caller gave it up, and it arrives now
 */
export function answerProvider(
  bank: Bank,
  rules: Rules,
  mount: Mount,
  request: ProviderRequest,
  isLate = false,
): RoutedReply {
  const matched = matchEndpoints(mount.connector, request.method, request.path);
  const [first] = matched;
  if (first === undefined)
    return {
      reply: jsonReply(404, { error: `${mount.connector.id} has no endpoint ${request.method} ${request.path}.` }),
    };
  const found = matched.flatMap((each) => declaredFor(mount, each, request) ?? [])[0];
  if (found === undefined)
    return { reply: jsonReply(501, { error: `The simulation says nothing of the endpoint ${first.endpoint.name}.` }) };
  const { endpoint, declared, received } = found;
  const routed = { mount, endpoint, declared, received, text: request.text, isLate };
  if (declared.lists !== undefined) return { reply: listReply(bank, mount, endpoint, declared.lists) };
  if (namesNothing(declared)) return { reply: plainReply(endpoint, declared, received) };
  if (declared.effect === 'read') return { reply: isQuestion(declared) ? proofReply(routed) : readReply(bank, routed) };
  const routedReply = withIdempotency(bank, routed, (key) => perform(bank, rules, routed, key));
  if (routedReply.isGivenUp !== true) return routedReply;
  return untilItArrives(bank, routed, routedReply, () => answerProvider(bank, rules, mount, request, true));
}

/** The declaration of an endpoint for a request, with the first of its cases that fits; nothing where the request is for another one. */
function declaredFor(mount: Mount, { endpoint, params }: Matched, request: ProviderRequest) {
  const declared = mount.simulation.endpoints[endpoint.name];
  const received = { ...request, params };
  if (declared === undefined || !fits(received, declared.where)) return undefined;
  const { cases = [], ...own } = declared;
  const { where: _where, ...other } = cases.find((each) => fits(received, each.where)) ?? {};
  return [{ endpoint, declared: { ...own, ...other }, received }];
}

/** A credential, or a list that is the same for every payment. */
function namesNothing({ effect, request }: SimulatedEndpoint): boolean {
  return effect === 'credential' || (effect === 'read' && Object.keys(request).length === 0);
}

/** Whether it asks if a notification is the provider's own. */
const isQuestion = ({ request }: SimulatedEndpoint) => request.proof !== undefined;

function proofReply({ endpoint, declared, received }: RoutedRequest): Reply {
  const { proof = [], notification = 'body' } = declared.request;
  const expected = callProof(readPath(received, notification));
  const own = [proof].flat().every((place) => textAt(received, place) === expected);
  return own ? plainReply(endpoint, declared) : absentReply(endpoint, declared);
}

function readReply(bank: Bank, routed: RoutedRequest): Reply {
  const { mount, endpoint, declared, received } = routed;
  const { modification: id, modificationReference: reference } = declared.request;
  const isOfModification = id !== undefined || reference !== undefined;
  const names = { id: textAt(received, id), reference: textAt(received, reference) };
  const modification = isOfModification ? bank.findModification(mount.name, names) : undefined;
  const isOfPayment = !isOfModification || (modification === undefined && isOfEither(declared));
  const held = isOfPayment ? named(bank, routed) : modification && bank.find(modification.payment);
  if (held === undefined || !bank.isShown(modification ?? held)) return absentReply(endpoint, declared);
  return paymentReply(mount, endpoint, declared, held, modification);
}

/** Whether one place of a lookup names a payment or an action on it. */
function isOfEither({ request }: SimulatedEndpoint): boolean {
  const { id, merchantReference, modification, modificationReference } = request;
  return modification === undefined ? modificationReference === merchantReference : modification === id;
}

const WAITING: ReadonlySet<State | undefined> = new Set(['pending', 'challenged', 'withdrawn']);

function perform(bank: Bank, rules: Rules, routed: RoutedRequest, key: string | undefined): RoutedReply {
  const { effect, withdraws } = routed.declared;
  if (withdraws === true && WAITING.has(named(bank, routed)?.state)) return withdraw(bank, routed);
  switch (effect) {
    case 'charge':
    case 'payout':
    case 'authorize':
      return open(bank, rules, routed, effect, key);
    case 'renew':
      return renew(bank, routed, key);
    case 'withdraw':
      return withdraw(bank, routed);
    case 'complete':
      return complete(bank, routed);
    case 'read':
    case 'credential':
      throw new Error(`"${effect}" changes nothing.`);
    default:
      return modifyPayment(bank, rules, routed, effect, key);
  }
}
