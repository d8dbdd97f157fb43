import * as z from 'zod';
import { Conflict } from './conflict.ts';
import type { SimulatorControl } from './simulator-control.ts';
import { jsonReply, type Reply } from './reply.ts';
import { NOTIFICATION_MODES, SCENARIOS } from './scenarios.ts';
import type { OwnRequest } from './server.ts';

const ruleSchema = z.strictObject({
  connector: z.string().optional(),
  reference: z.string().optional(),
  scenario: z.enum(SCENARIOS).optional(),
  notifications: z.enum(NOTIFICATION_MODES).optional(),
});
const notifySchema = z.strictObject({ mode: z.enum(NOTIFICATION_MODES).optional() });
const giveBackSchema = z.strictObject({ amount: z.string().min(1).optional() });
const paySchema = z.strictObject({ code: z.string().min(1) });

/** The control interface. A wrong request is answered with 400, 404 or 409 and a sentence. */
export function answerControl(simulator: SimulatorControl, request: OwnRequest): Reply {
  try {
    return route(simulator, request);
  } catch (error) {
    if (error instanceof Conflict) return jsonReply(409, { error: error.message });
    if (error instanceof z.ZodError) return jsonReply(400, { error: z.prettifyError(error) });
    throw error;
  }
}

function route(simulator: SimulatorControl, { method, path, query, body }: OwnRequest): Reply {
  const [what = '', id = '', action = ''] = path.replace('/_simulator/', '').split('/');
  const mine = <T extends { readonly connector: string }>(all: readonly T[]) =>
    all.filter((each) => query.connector === undefined || each.connector === query.connector);
  const route = `${method} ${what}${id === '' ? '' : '/:id'}${action === '' ? '' : `/${action}`}`;
  switch (route) {
    case 'GET connectors':
      return jsonReply(200, {
        connectors: [...simulator.mounts.values()].map(({ name, connector }) => ({ name, title: connector.title })),
      });
    case 'GET payments':
      return jsonReply(200, { payments: mine(simulator.payments()) });
    case 'GET modifications':
      return jsonReply(200, { modifications: mine(simulator.modifications()) });
    case 'POST modifications/:id/settle':
      return jsonReply(200, { modification: simulator.settleModification(id) });
    case 'POST modifications/:id/decline':
      return jsonReply(200, { modification: simulator.declineModification(id) });
    case 'GET ledger':
      return jsonReply(200, { ledger: mine(simulator.ledger()) });
    case 'GET deliveries':
      return jsonReply(200, { deliveries: simulator.deliveries() });
    case 'GET scenarios':
      return jsonReply(200, { scenarios: SCENARIOS, notifications: NOTIFICATION_MODES });
    case 'POST payments/:id/settle':
      return jsonReply(200, { payment: simulator.settle(id) });
    case 'POST payments/:id/decline':
      return jsonReply(200, { payment: simulator.decline(id) });
    case 'POST payments/:id/dispute':
      return jsonReply(200, { payment: simulator.dispute(id) });
    case 'POST payments/:id/win-dispute':
      return jsonReply(200, { payment: simulator.winDispute(id) });
    case 'POST payments/:id/lose-dispute':
      return jsonReply(200, { payment: simulator.loseDispute(id) });
    case 'POST payments/:id/give-back':
      return jsonReply(200, { modification: simulator.giveBack(id, giveBackSchema.parse(body ?? {}).amount) });
    case 'POST payments/:id/expire-hold':
      return jsonReply(200, { payment: simulator.expireHold(id) });
    case 'POST payments/:id/notify':
      return jsonReply(200, { payment: simulator.notify(id, notifySchema.parse(body ?? {}).mode) });
    case 'POST pay':
      return pay(simulator, paySchema.parse(body).code);
    case 'POST scenario': {
      const change = ruleSchema.parse(body);
      if (change.connector !== undefined && !simulator.mounts.has(change.connector))
        return jsonReply(404, { error: `No connector is simulated under "${change.connector}".` });
      simulator.setRule(change);
      return jsonReply(200, { set: change });
    }
    default:
      return jsonReply(404, { error: `There is no ${method} ${path}.` });
  }
}

function pay(simulator: SimulatorControl, code: string): Reply {
  const payment = simulator.byCode(code);
  if (payment === undefined) return jsonReply(404, { error: 'No open payment shows this code.' });
  return jsonReply(200, { payment: simulator.settle(payment.id) });
}
