import { createHash } from 'node:crypto';
import type { SimulatedEndpoint } from '@railyard/core';
import { actOn } from './act-on-payment.ts';
import { type Answered, type Asked, named } from './asked.ts';
import type { Bank } from './bank.ts';
import { matchEndpoint } from './match-endpoint.ts';
import type { Mount } from './mount.ts';
import { complete, open, renew } from './open-payment.ts';
import { type Received, textAt } from './places.ts';
import { absentReply, jsonReply, paymentReply, plainReply, type Reply } from './reply.ts';
import type { Rules } from './rules.ts';

export interface ProviderRequest extends Omit<Received, 'params'> {
  readonly method: string;
  /** Below the mount. */
  readonly path: string;
  readonly text: string;
}

/** Answers a request as the provider would. */
export function answerProvider(bank: Bank, rules: Rules, mount: Mount, request: ProviderRequest): Answered {
  const matched = matchEndpoint(mount.connector, request.method, request.path);
  if (matched === undefined)
    return {
      reply: jsonReply(404, { error: `${mount.connector.id} has no endpoint ${request.method} ${request.path}.` }),
    };
  const { endpoint, params } = matched;
  const declared = mount.simulation.endpoints[endpoint.name];
  if (declared === undefined)
    return { reply: jsonReply(501, { error: `The simulation says nothing of the endpoint ${endpoint.name}.` }) };
  const asked = { mount, endpoint, declared, received: { ...request, params }, text: request.text };
  if (namesNothing(declared)) return { reply: plainReply(endpoint, declared) };
  if (declared.effect === 'read') return { reply: readReply(bank, asked) };
  return once(bank, asked, (key) => perform(bank, rules, asked, key));
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
  return held === undefined ? absentReply(endpoint, declared) : paymentReply(mount, endpoint, declared, held, action);
}

/** One effect per key: a repeat is answered with how the payment stands now. */
function once(bank: Bank, asked: Asked, act: (key: string | undefined) => Answered): Answered {
  const { mount, endpoint, declared, received } = asked;
  const key = textAt(received, declared.request.key);
  if (declared.request.key !== undefined && key === undefined)
    return { reply: jsonReply(400, { error: `${declared.request.key} is missing.` }) };
  if (key === undefined) return act(undefined);
  // Not the body itself: a card number in it is kept nowhere.
  const body = createHash('sha256').update(asked.text).digest('hex');
  const earlier = bank.recall(mount.name, endpoint.name, key);
  const held = earlier === undefined ? undefined : bank.find(earlier.id);
  if (earlier === undefined || held === undefined) {
    const answered = act(key);
    const { changed, action } = answered;
    if (changed !== undefined)
      bank.remember({
        connector: mount.name,
        endpoint: endpoint.name,
        key,
        body,
        id: changed.id,
        ...(action && { action: action.id }),
      });
    return answered;
  }
  if (earlier.body !== body) return { reply: jsonReply(409, { error: 'The key was used for another request.' }) };
  const action = earlier.action === undefined ? undefined : bank.lookUpAction(mount.name, { id: earlier.action });
  return { reply: paymentReply(mount, endpoint, declared, held, action) };
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
      return actOn(bank, asked, effect, key);
    default:
      throw new Error(`"${effect}" changes nothing.`);
  }
}
