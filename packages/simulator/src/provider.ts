import type { SimulatedEndpoint } from '@railyard/core/simulation';
import { actOn } from './act-on-payment.ts';
import { type Answered, type Asked, named } from './asked.ts';
import type { Bank } from './bank.ts';
import { type Matched, matchEndpoints } from './match-endpoint.ts';
import type { Mount } from './mount.ts';
import { complete, open, renew } from './open-payment.ts';
import { fits, type Received, textAt } from './places.ts';
import { once, untilItArrives } from './repeats.ts';
import { absentReply, jsonReply, paymentReply, plainReply, type Reply } from './reply.ts';
import type { Rules } from './rules.ts';

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
): Answered {
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
  const asked = { mount, endpoint, declared, received, text: request.text, isLate };
  if (namesNothing(declared)) return { reply: plainReply(endpoint, declared) };
  if (declared.effect === 'read') return { reply: readReply(bank, asked) };
  const answered = once(bank, asked, (key) => perform(bank, rules, asked, key));
  if (answered.isGivenUp !== true) return answered;
  return untilItArrives(bank, asked, answered, () => answerProvider(bank, rules, mount, request, true));
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

function readReply(bank: Bank, asked: Asked): Reply {
  const { mount, endpoint, declared, received } = asked;
  const { action: id, actionReference: reference } = declared.request;
  const isOfAction = id !== undefined || reference !== undefined;
  const names = { id: textAt(received, id), reference: textAt(received, reference) };
  const action = isOfAction ? bank.lookUpAction(mount.name, names) : undefined;
  const held = isOfAction ? action && bank.find(action.payment) : named(bank, asked);
  if (held === undefined || !bank.isShown(action ?? held)) return absentReply(endpoint, declared);
  return paymentReply(mount, endpoint, declared, held, action);
}

function perform(bank: Bank, rules: Rules, asked: Asked, key: string | undefined): Answered {
  const { effect } = asked.declared;
  switch (effect) {
    case 'charge':
    case 'payout':
    case 'authorize':
      return open(bank, rules, asked, effect, key);
    case 'renew':
      return renew(bank, asked, key);
    case 'complete':
      return complete(bank, asked);
    case 'capture':
    case 'void':
    case 'cancel':
    case 'refund':
      return actOn(bank, rules, asked, effect, key);
    default:
      throw new Error(`"${effect}" changes nothing.`);
  }
}
