import {
  call,
  type ContextOf,
  decimal,
  declined,
  defineConnector,
  field,
  type FollowUpFlows,
  foundBy,
  fromDecimal,
  type LookedUpPayment,
  type Money,
  moneyOfMinor,
  notFound,
  type Outcome,
  providerApi,
  type ProviderEvent,
  reply,
  secret,
  type StatusReport,
  statusTable,
  type Steps,
  withGivenBack,
} from '@railyard/core';
import { compactId, fromCompactId } from '@railyard/core/formats';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import * as samples from './bcb.samples.ts';
import { type ChargeReply, created, lookedUp, renewed } from './code.ts';
import { documentType } from './documents.ts';
import { pixCharge } from './methods/pix-charge.ts';

/** Neither address is in the description: each bank has its own. */
const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the bank’s API Pix' }),
  oauth_url: field(z.url({ protocol: /^https?$/ }), {
    label: 'Address of the bank’s OAuth server',
    help: 'Without /token at its end: https://pix.example.com/oauth for https://pix.example.com/oauth/token.',
  }),
  client_id: field(z.string().min(1), { label: 'Client id' }),
  client_secret: secret(z.string().min(1), 'Client secret'),
  certificate: field(z.string().min(1), { label: 'Certificate for mutual TLS, in PEM' }).optional(),
  certificate_key: secret(z.string().min(1), 'Private key of the certificate, in PEM').optional(),
  ca: field(z.string().min(1), { label: 'Authority of the bank’s certificate, in PEM' }).optional(),
  chave: field(z.string().min(1).max(77), { label: 'Pix key that is paid (chave)' }),
  // 86400 is the description's default (CobExpiracao).
  expiracao: field(z.int().min(60).max(31_536_000).default(86_400), { label: 'Life of a code in seconds (expiracao)' }),
});

type Settings = z.output<typeof settings>;

/** CobrancaStatus, and the status of a Devolucao. */
const statuses = statusTable({
  ATIVA: 'pending',
  CONCLUIDA: 'settled',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: {
    meaning: { declined: 'hard', code: 'cancelled', reason: 'The charge was removed.' },
    says: 'the receiver asked for the removal of the charge',
  },
  REMOVIDA_PELO_PSP: { declined: 'hard', code: 'declined_by_provider', reason: 'The bank removed the charge.' },
  EM_PROCESSAMENTO: 'pending',
  DEVOLVIDO: 'settled',
  NAO_REALIZADO: { declined: 'hard', code: 'declined_by_provider', reason: 'The bank did not make the return.' },
});

// Replies.

const reais = z.string().regex(/^\d{1,10}\.\d{2}$/);
const devolucao = z.object({
  id: z.string().min(1),
  rtrId: z.string().min(1),
  valor: reais,
  status: z.string(),
  natureza: z.string().optional(),
});
/** A Pix that arrived, and what went back of it. */
const pix = z.object({ endToEndId: z.string().min(1), valor: reais, devolucoes: z.array(devolucao).optional() });
const cob = z.object({
  txid: z.string().min(1),
  calendario: z.object({ criacao: z.iso.datetime({ offset: true }), expiracao: z.int().nonnegative() }),
  status: z.string(),
  valor: z.object({ original: reais }),
  pixCopiaECola: z.string().optional(),
  pix: z.array(pix).optional(),
});
const notified = pix.extend({ txid: z.string().min(1) });
const problem = z.object({ type: z.string(), title: z.string(), violacoes: z.array(z.unknown()).optional() });
const refused = (...shown: readonly unknown[]) => reply([400, 403, 404], problem, ...shown);
const absent = reply(404, problem, samples.sampleAbsent);

// Endpoints.

const api = providerApi(settings, {
  source: 'https://github.com/bacen/pix-api, 2.9.0',
  visible: [
    'txid',
    'status',
    'valor',
    'valor.original',
    'calendario.criacao',
    'calendario.expiracao',
    'id',
    'rtrId',
    'type',
  ],
  token: {
    name: 'authenticate',
    path: '/token',
    baseUrl: ({ oauth_url }) => oauth_url,
    client: ({ client_id: id, client_secret }) => ({ by: 'basic', id, secret: client_secret }),
  },
  absent,
  // The bank's own words: the last part of the problem's type, and its title.
  words: ({ type, title }) => ({ code: type.slice(type.lastIndexOf('/') + 1), message: title }),
});

const kept = reply(200, cob, { ...samples.sampleCob, status: 'CONCLUIDA', pix: [samples.samplePix] });
const getCob = api.lookup('get-cob', '/cob/{txid}', kept);

type Purchase = ContextOf<Settings, typeof pixCharge, 'purchase'>;
type NewCob = Pick<Purchase, 'payment'> & { readonly txid: string };
type Renewal = { readonly txid: string; readonly expiracao: number };

/** The path names the charge, so a request without a reply is looked up by its txid. */
const putCob = api.endpoint('put-cob', 'PUT /cob/{txid}', {
  repeat: 'by-reference',
  request: ({ txid, payment: { amount, parameters } }: NewCob, { settings: { chave, expiracao } }) => {
    const { devedor_documento: documento, devedor_nome: nome, solicitacaoPagador } = parameters;
    const kind = documento !== undefined && documentType(documento) === 'CPF' ? 'cpf' : 'cnpj';
    const devedor = documento === undefined ? undefined : { [kind]: documento, nome };
    const valor = { original: decimal(amount) };
    return { params: { txid }, json: { calendario: { expiracao }, devedor, valor, chave, solicitacaoPagador } };
  },
  find: foundBy(getCob, ({ txid }: NewCob) => txid),
  replies: {
    created: reply(201, cob, samples.sampleCob),
    refused: refused(samples.sampleInvalid, samples.sampleRefusal),
  },
});

/** The life of a charge counts from its creation, so the same request twice leaves the same end. */
const patchCob = api.endpoint('patch-cob', 'PATCH /cob/{txid}', {
  repeat: 'safe',
  request: ({ txid, ...calendario }: Renewal) => ({ params: { txid }, json: { calendario } }),
  replies: { created: reply(200, cob, { ...samples.sampleCob, revisao: 1 }), refused: refused(samples.sampleRefusal) },
});

/** CobRevisada: the one status that a receiver sets. A charge that is removed may be removed again. */
const removeCob = api.endpoint('remove-cob', 'PATCH /cob/{txid}', {
  repeat: 'safe',
  request: (txid: string) => ({ params: { txid }, json: { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' } }),
  replies: {
    removed: reply(200, cob, { ...samples.sampleCob, revisao: 1, status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }),
    refused: refused(samples.sampleRefusal),
  },
});

type Return = Readonly<Record<'e2eid' | 'id', string>>;

const getDevolucao = api.endpoint('get-devolucao', 'GET /pix/{e2eid}/devolucao/{id}', {
  repeat: 'safe',
  request: (params: Return) => ({ params }),
  replies: { found: reply(200, devolucao, { ...samples.sampleDevolucao, status: 'DEVOLVIDO' }), absent },
});

const putDevolucao = api.endpoint('put-devolucao', 'PUT /pix/{e2eid}/devolucao/{id}', {
  repeat: 'by-reference',
  request: ({ valor, ...params }: Return & { readonly valor: string }) => ({ params, json: { valor } }),
  find: foundBy(getDevolucao, ({ e2eid, id }: Return) => ({ e2eid, id })),
  replies: { created: reply(201, devolucao, samples.sampleDevolucao), refused: refused(samples.sampleRefusedReturn) },
});

// Meaning of replies.

/** Paid is what arrived. Without a list of it the charge's own amount counts, which the payer cannot change (modalidadeAlteracao is not sent). */
function paidOf({ pix: received = [], valor }: z.output<typeof cob>): Money {
  const amounts = received.length === 0 ? [valor.original] : received.map((each) => each.valor);
  const paid = amounts.reduce((sum, each) => sum + fromDecimal(each, 'BRL').minor, 0n);
  return moneyOfMinor(paid, 'BRL');
}

/**
 * The life of a code counts from our own clock: some banks write the local time of their creation with a Z, others have clocks of their own.
 *
 * @param from when the charge was made or renewed, or found again after a lost reply
 * @param seconds the life that was asked for
 */
function charge(body: z.output<typeof cob>, merchantReference: string, from: string, seconds: number): ChargeReply {
  const { txid, status, valor, pixCopiaECola: content } = body;
  const connectorState = { e2eid: body.pix?.[0]?.endToEndId };
  const facts = { word: status, providerReference: txid, amount: paidOf(body), connectorState };
  const validUntil = new Date(Date.parse(from) + seconds * 1000).toISOString();
  return {
    outcome: statuses.read(facts, { providerReference: compactId(merchantReference) }),
    code: { content, amount: fromDecimal(valor.original, 'BRL'), validUntil },
  };
}

function returned({ id, rtrId, valor, status }: z.output<typeof devolucao>, asked: string): Outcome {
  const amount = fromDecimal(valor, 'BRL');
  const facts = { word: status, providerReference: rtrId, merchantReference: id, amount };
  return statuses.read(facts, { merchantReference: asked });
}

/**
 * The bank signs nothing here, and a proxy in front of the service may ask it for its certificate: a notification only says where to look.
 * It is sent to the registered address and `/pix`.
 */
const notifications = api.notifications({
  address: 'at-provider',
  verify: { scheme: 'unsigned', confirm: 'status' },
  items: 'pix.*',
  // Without `pix` it is the call by which a PSP tries the address (Efí: `teste_webhook`); a Pix to a key has no `txid` and pays no charge.
  body: z.object({ pix: z.array(notified.or(z.object({ txid: z.undefined().optional() }))).optional() }),
  events: ({ pix: all = [] }) => all.flatMap((each) => (each.txid === undefined ? [] : eventsOf(each))),
  examples: [{ body: samples.sampleNotification }],
});

/** The bank numbers no events: a Pix arrives once. */
function eventsOf({ txid, ...arrived }: z.output<typeof notified>): readonly ProviderEvent[] {
  const { endToEndId, valor } = arrived;
  const facts = { word: 'CONCLUIDA', providerReference: txid, amount: fromDecimal(valor, 'BRL') };
  return [...statuses.events(endToEndId, fromCompactId(txid), facts), ...givenBack(txid, arrived)];
}

/**
 * A return takes each status once. Those of the Mecanismo Especial de Devolução (DevolucaoNatureza `MED_…`) are the bank's, after a fraud or a fault,
 * and none of the merchant's: the payer disputed the Pix.
 */
function givenBack(txid: string, { devolucoes = [] }: z.output<typeof pix>): readonly ProviderEvent[] {
  return devolucoes.flatMap((each): readonly ProviderEvent[] => {
    const event = {
      providerReference: txid,
      merchantReference: fromCompactId(txid),
      provider: { status: each.status },
    };
    const outcome = returned(each, each.id);
    if (each.natureza?.startsWith('MED_') !== true)
      return [{ ...event, kind: 'refund', id: `${each.rtrId}/${each.status}`, outcome }];
    return outcome.status === 'settled'
      ? [{ ...event, kind: 'chargeback', id: each.rtrId, amount: outcome.amount }]
      : [];
  });
}

// The connector.

/** A refusal that names no field may mean that the bank has the charge already, so it is looked up: one that it does not have was refused. */
function* purchase({ payment, settings: { expiracao }, now }: Purchase): Steps<Outcome> {
  const { merchantReference } = payment;
  const begun = (body: z.output<typeof cob>) => {
    const { outcome, code } = charge(body, merchantReference, now, expiracao);
    return created({ outcome: { ...outcome, connectorState: { ...outcome.connectorState, askedAt: now } }, code });
  };
  const txid = compactId(merchantReference);
  const answer = yield* call(putCob, { txid, payment });
  if (answer.reply === 'created') return begun(answer.body);
  const refusal = api.refusal(answer.body);
  if (answer.body.violacoes !== undefined) return refusal;
  const kept = yield* call(getCob, txid);
  return kept.reply === 'found' ? begun(kept.body) : refusal;
}

const outcomeOf = (body: z.output<typeof cob>, payment: LookedUpPayment, now: string): Outcome =>
  lookedUp(charge(body, payment.merchantReference, now, body.calendario.expiracao), payment);

function* status({ payment, now }: { readonly payment: LookedUpPayment; readonly now: string }): Steps<StatusReport> {
  const answer = yield* call(getCob, compactId(payment.merchantReference));
  if (answer.reply === 'absent') return api.notFound(answer.body);
  const { txid, pix: arrived = [] } = answer.body;
  return withGivenBack(
    outcomeOf(answer.body, payment, now),
    payment.merchantReference,
    arrived.flatMap((each) => givenBack(txid, each)),
  );
}

/** The Pix that paid the charge: returns are made of it. */
function* paidBy({ merchantReference, connectorState }: LookedUpPayment): Steps<string | undefined> {
  if (connectorState.e2eid !== undefined) return connectorState.e2eid;
  const answer = yield* call(getCob, compactId(merchantReference));
  return answer.reply === 'found' ? answer.body.pix?.[0]?.endToEndId : undefined;
}

const followUps = {
  status,

  *renew({ payment, settings, now }) {
    const txid = compactId(payment.merchantReference);
    const kept = yield* call(getCob, txid);
    if (kept.reply === 'absent') return api.notFound(kept.body);
    // A life counts from the creation. Ours is known unless the reply to it was lost; the bank's may be in another zone.
    const from = payment.connectorState.askedAt ?? kept.body.calendario.criacao;
    const lived = Math.ceil((Date.parse(now) - Date.parse(from)) / 1000);
    const expiracao = Math.max(lived, 0) + settings.expiracao;
    const answer = yield* call(patchCob, { txid, expiracao });
    if (answer.reply === 'created')
      return renewed(charge(answer.body, payment.merchantReference, now, settings.expiracao));
    // It may have been paid meanwhile.
    return yield* api.outcome(getCob, txid, ({ body }) => outcomeOf(body, payment, now));
  },

  *withdraw({ payment, now }) {
    const txid = compactId(payment.merchantReference);
    const answer = yield* call(removeCob, txid);
    if (answer.reply === 'removed') return outcomeOf(answer.body, payment, now);
    // A charge that was paid first is not removed.
    return yield* api.outcome(getCob, txid, ({ body }) => outcomeOf(body, payment, now));
  },

  refund: {
    partial: true,
    *flow({ payment, id: ours, amount }) {
      const e2eid = yield* paidBy(payment);
      if (e2eid === undefined)
        return declined('soft', 'provider_error', { reason: 'The bank names no Pix that paid this charge.' });
      const asked = { e2eid, id: compactId(ours) };
      const answer = yield* call(putDevolucao, { ...asked, valor: decimal(amount) });
      if (answer.reply === 'created') return returned(answer.body, asked.id);
      const kept = yield* call(getDevolucao, asked);
      return kept.reply === 'found' ? returned(kept.body, asked.id) : api.refusal(answer.body);
    },
  },

  *modificationStatus({ payment, modification }) {
    const e2eid = yield* paidBy(payment);
    if (e2eid === undefined) return notFound();
    const id = compactId(modification.id);
    return yield* api.outcome(getDevolucao, { e2eid, id }, ({ body }) => returned(body, id));
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
