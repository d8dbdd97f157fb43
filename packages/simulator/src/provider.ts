import type { SimulatedEndpoint } from '@railyard/core/simulation';
import { actOn } from './act-on-payment.ts';
import { type Answered, type Asked, named } from './asked.ts';
import type { Bank } from './bank.ts';
import { matchEndpoint } from './match-endpoint.ts';
import type { Mount } from './mount.ts';
import { complete, open, renew } from './open-payment.ts';
import { type Received, textAt } from './places.ts';
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
  const matched = matchEndpoint(mount.connector, request.method, request.path);
  if (matched === undefined)
    return {
      reply: jsonReply(404, { error: `${mount.connector.id} has no endpoint ${request.method} ${request.path}.` }),
    };
  const { endpoint, params } = matched;
  const declared = mount.simulation.endpoints[endpoint.name];
  if (declared === undefined)
    return { reply: jsonReply(501, { error: `The simulation says nothing of the endpoint ${endpoint.name}.` }) };
  const asked = { mount, endpoint, declared, received: { ...request, params }, text: request.text, isLate };
  if (namesNothing(declared)) return { reply: plainReply(endpoint, declared) };
  if (declared.effect === 'read') return { reply: readReply(bank, asked) };
  const answered = once(bank, asked, (key) => perform(bank, rules, asked, key));
  if (answered.isGivenUp !== true) return answered;
  return untilItArrives(bank, asked, answered, () => answerProvider(bank, rules, mount, request, true));
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
