import {
  call,
  credential,
  decimal,
  declined,
  defineConnector,
  type FollowUpFlows,
  fromDecimal,
  type LookedUpPayment,
  type Money,
  moneyOfMinor,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  type ProviderEvent,
  type Steps,
} from '@railyard/core';
import { compactId, fromCompactId } from '@railyard/core/formats';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import * as samples from './bcb.samples.ts';
import { type ChargeReply, created, lookedUp, renewed } from './code.ts';
import { pixCharge } from './methods/pix-charge.ts';
import {
  SOURCE,
  settings,
  type Settings,
  statuses,
  devolucao,
  pix,
  type cob,
  api,
  authenticate,
  getCob,
  type Purchase,
  putCob,
  patchCob,
  getDevolucao,
  putDevolucao,
} from './bcb-endpoints.ts';

// Meaning of replies.

/** Paid is what arrived. Without a list of it the charge's own amount counts, which the payer cannot change (modalidadeAlteracao is not sent). */
function paidOf({ pix: received = [], valor }: z.output<typeof cob>): Money {
  const amounts = received.length === 0 ? [valor.original] : received.map((each) => each.valor);
  return moneyOfMinor(
    amounts.reduce((sum, each) => sum + fromDecimal(each, 'BRL').minor, 0n),
    'BRL',
  );
}

function charge(body: z.output<typeof cob>, merchantReference: string): ChargeReply {
  const { txid, calendario, status, valor, pixCopiaECola: content } = body;
  const e2eid = body.pix?.[0]?.endToEndId;
  const amount = paidOf(body);
  const connectorState = e2eid === undefined ? undefined : { e2eid };
  const outcome = statuses.read({ word: status, providerReference: txid, amount, connectorState });
  const validUntil = new Date(Date.parse(calendario.criacao) + calendario.expiracao * 1000).toISOString();
  return {
    outcome: ofThisPayment(outcome, { providerReference: compactId(merchantReference) }),
    code: { content, amount: fromDecimal(valor.original, 'BRL'), validUntil },
  };
}

function returned({ id, rtrId, valor, status }: z.output<typeof devolucao>, asked: string): Outcome {
  const outcome = statuses.read({ word: status, providerReference: rtrId, amount: fromDecimal(valor, 'BRL') });
  return ofThisPayment(outcome, { merchantReference: asked }, id);
}

/**
 * The bank signs nothing here, and a proxy in front of the service may ask it for its certificate: a notification only says where to look.
 * It is sent to the registered address and `/pix`.
 */
const notifications = notificationsFor(settings)({
  address: 'at-provider',
  verify: { scheme: 'unsigned', confirm: 'status' },
  codec: 'json',
  body: z.object({
    pix: z.array(pix.extend({ txid: z.string().min(1), devolucoes: z.array(devolucao).optional() })),
  }),
  events: (body) => body.pix.flatMap(eventsOf),
  examples: [{ body: samples.sampleNotification, source: SOURCE }],
});

interface NotifiedPix extends z.output<typeof pix> {
  readonly txid: string;
  readonly devolucoes?: readonly z.output<typeof devolucao>[] | undefined;
}

/** A Pix that arrived, and what went back of it. The bank numbers no events: a Pix arrives once, and a return takes each status once. */
function eventsOf({ endToEndId, txid, valor, devolucoes = [] }: NotifiedPix): readonly ProviderEvent[] {
  const merchantReference = fromCompactId(txid);
  const amount = fromDecimal(valor, 'BRL');
  const arrived = statuses.events(endToEndId, merchantReference, {
    word: 'CONCLUIDA',
    providerReference: txid,
    amount,
  });
  const backs = devolucoes.map((each) => ({
    kind: 'refund' as const,
    id: `${each.rtrId}/${each.status}`,
    providerReference: txid,
    ...(merchantReference !== undefined && { merchantReference }),
    outcome: returned(each, each.id),
  }));
  return [...arrived, ...backs];
}

// The connector.

/** A refusal that names no field may mean that the bank has the charge already, so it is looked up: one that it does not have was refused. */
function* purchase({ payment }: Purchase): Steps<Outcome> {
  const { merchantReference } = payment;
  const { access_token: token } = yield* credential(authenticate);
  const txid = compactId(merchantReference);
  const answer = yield* call(putCob, { token, txid, payment });
  if (answer.reply === 'created') return created(charge(answer.body, merchantReference));
  const refusal = api.refusal(answer.body);
  if (answer.body.violacoes !== undefined) return refusal;
  const kept = yield* call(getCob, { token, txid });
  return kept.reply === 'found' ? created(charge(kept.body, merchantReference)) : refusal;
}

function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { access_token: token } = yield* credential(authenticate);
  return yield* api.outcome(getCob, { token, txid: compactId(payment.merchantReference) }, ({ body }) =>
    lookedUp(charge(body, payment.merchantReference), payment),
  );
}

/** The Pix that paid the charge: returns are made of it. */
function* paidBy({ merchantReference, connectorState }: LookedUpPayment, token: string): Steps<string | undefined> {
  if (connectorState.e2eid !== undefined) return connectorState.e2eid;
  const answer = yield* call(getCob, { token, txid: compactId(merchantReference) });
  return answer.reply === 'found' ? answer.body.pix?.[0]?.endToEndId : undefined;
}

const followUps = {
  status,

  *renew({ payment, settings, now }) {
    const { access_token: token } = yield* credential(authenticate);
    const txid = compactId(payment.merchantReference);
    const kept = yield* call(getCob, { token, txid });
    if (kept.reply === 'absent') return api.notFound(kept.body);
    const lived = Math.ceil((Date.parse(now) - Date.parse(kept.body.calendario.criacao)) / 1000);
    const expiracao = Math.max(lived, 0) + settings.expiracao;
    const answer = yield* call(patchCob, { token, txid, expiracao });
    if (answer.reply === 'created') return renewed(charge(answer.body, payment.merchantReference));
    // It may have been paid meanwhile.
    return yield* status({ payment });
  },

  refund: {
    partial: true,
    *flow({ payment, id: ours, amount }) {
      const { access_token: token } = yield* credential(authenticate);
      const e2eid = yield* paidBy(payment, token);
      if (e2eid === undefined)
        return declined('soft', 'provider_error', { reason: 'The bank names no Pix that paid this charge.' });
      const asked = { token, e2eid, id: compactId(ours) };
      const answer = yield* call(putDevolucao, { ...asked, valor: decimal(amount) });
      if (answer.reply === 'created') return returned(answer.body, asked.id);
      const kept = yield* call(getDevolucao, asked);
      return kept.reply === 'found' ? returned(kept.body, asked.id) : api.refusal(answer.body);
    },
  },

  *modificationStatus({ payment, modification }) {
    const { access_token: token } = yield* credential(authenticate);
    const e2eid = yield* paidBy(payment, token);
    if (e2eid === undefined) return notFound();
    const id = compactId(modification.id);
    return yield* api.outcome(getDevolucao, { token, e2eid, id }, ({ body }) => returned(body, id));
  },
} satisfies FollowUpFlows<Settings>;

/** Any bank with the Banco Central's API Pix: checked against its official description, not yet against a live API. */
export const bcbConnector = defineConnector({
  id: 'pix-bcb',
  contract: 1,
  version: manifest.version,
  title: 'Pix, API Pix of the Banco Central',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [serve(pixCharge, { purchase, ...followUps })],
});
