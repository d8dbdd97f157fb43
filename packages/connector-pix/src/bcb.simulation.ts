import { readPath } from '@railyard/core';
import { compactId } from '@railyard/core/formats';
import type {
  SimulatedDispute,
  SimulatedEndpoint,
  SimulatedModification,
  SimulatedPayment,
  Simulation,
} from '@railyard/core/simulation';
import { sampleAbsent, sampleRefusal, sampleRefusedReturn } from './bcb.samples.ts';
import { simulatedCode } from './simulated-code.ts';

const absent = { status: 404, body: sampleAbsent };
const refused = { status: 400, body: sampleRefusal };

/** The Pix that paid a charge has the simulated provider's id of the payment. */
function paid({ id, merchantReference: txid, amount, createdAt, modifications, disputes }: SimulatedPayment) {
  const devolucoes = [...modifications.map(returnedAs), ...disputes.map(takenBackAs)];
  return { endToEndId: id, txid, valor: amount, horario: createdAt, ...(devolucoes.length > 0 && { devolucoes }) };
}

/** By the Mecanismo Especial de Devolução the payer's bank takes back what its payer disputed. */
const takenBackAs = ({ id, amount: valor, createdAt }: SimulatedDispute) => ({
  id: compactId(id),
  rtrId: `D${compactId(id).slice(1)}`,
  valor,
  horario: { solicitacao: createdAt },
  status: 'DEVOLVIDO',
  natureza: 'MED_FRAUDE',
});

const returnedAs = ({ id: rtrId, merchantReference: id, amount, status, createdAt }: SimulatedModification) => ({
  id,
  rtrId,
  valor: amount,
  horario: { solicitacao: createdAt },
  status,
});

const DAY = 86_400;

/** The life that the request asked for, in seconds. */
const lifeOf = ({ request }: SimulatedPayment) => Number(readPath(request, 'calendario.expiracao') ?? DAY);

const cob = {
  reply: { merchantReference: 'txid', status: 'status', amount: 'valor.original' },
  compute: (payment: SimulatedPayment) => ({
    'calendario.criacao': payment.createdAt,
    'calendario.expiracao': lifeOf(payment),
    pixCopiaECola: simulatedCode(payment.id),
    pix: payment.status === 'CONCLUIDA' ? [paid(payment)] : [],
  }),
  absent,
} satisfies Partial<SimulatedEndpoint>;
const devolucao = {
  reply: { modification: 'rtrId', modificationReference: 'id', modificationStatus: 'status', amount: 'valor' },
  absent,
} satisfies Partial<SimulatedEndpoint>;

/** How a local provider plays a bank with the API Pix. */
export const bcbSimulation: Simulation = {
  currency: 'BRL',
  id: (uuid) => compactId(uuid),
  endpoints: {
    authenticate: { effect: 'credential', request: {}, reply: {} },
    'get-cob': { effect: 'read', request: { merchantReference: 'params.txid' }, ...cob },
    'put-cob': {
      effect: 'charge',
      request: { merchantReference: 'params.txid', amount: 'body.valor.original', key: 'params.txid' },
      ...cob,
      refused,
    },
    // A longer life is answered and not kept: lookups show the first one.
    'patch-cob': {
      where: { 'body.calendario.expiracao': true },
      effect: 'read',
      request: { merchantReference: 'params.txid' },
      ...cob,
      compute: (payment) => ({ ...cob.compute(payment), 'calendario.expiracao': lifeOf(payment) + DAY }),
    },
    'remove-cob': {
      where: { 'body.status': 'REMOVIDA_PELO_USUARIO_RECEBEDOR' },
      effect: 'withdraw',
      request: { merchantReference: 'params.txid' },
      ...cob,
      refused,
    },
    'get-devolucao': { effect: 'read', request: { modificationReference: 'params.id' }, ...devolucao },
    'put-devolucao': {
      effect: 'refund',
      request: { id: 'params.e2eid', modificationReference: 'params.id', amount: 'body.valor', key: 'params.id' },
      ...devolucao,
      refused: { status: 400, body: sampleRefusedReturn },
    },
  },
  words: {
    settled: 'CONCLUIDA',
    disputed: 'CONCLUIDA',
    pending: 'ATIVA',
    declined: 'REMOVIDA_PELO_PSP',
    withdrawn: 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
  },
  effectWords: { refund: { settled: 'DEVOLVIDO', pending: 'EM_PROCESSAMENTO', declined: 'NAO_REALIZADO' } },
  notification: {
    body: (payment) => ({ pix: payment.status === 'CONCLUIDA' ? [paid(payment)] : [] }),
    modification: (made, payment) => ({ pix: [{ ...paid(payment), devolucoes: [returnedAs(made)] }] }),
  },
};
