import {
  type ContextOf,
  decimal,
  field,
  foundBy,
  oauthToken,
  providerApi,
  reply,
  secret,
  statusTable,
} from '@railyard/core';
import * as z from 'zod';
import * as samples from './bcb.samples.ts';
import { documentType } from './documents.ts';
import type { pixCharge } from './methods/pix-charge.ts';

export const SOURCE = 'https://github.com/bacen/pix-api, 2.9.0';

/** Neither address is in the description: each bank has its own. */
export const settings = z.object({
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

export type Settings = z.output<typeof settings>;

/** CobrancaStatus, and the status of a Devolucao. */
export const statuses = statusTable({
  ATIVA: 'pending',
  CONCLUIDA: 'settled',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: { declined: 'hard', code: 'cancelled', reason: 'The charge was removed.' },
  REMOVIDA_PELO_PSP: { declined: 'hard', code: 'declined_by_provider', reason: 'The bank removed the charge.' },
  EM_PROCESSAMENTO: 'pending',
  DEVOLVIDO: 'settled',
  NAO_REALIZADO: { declined: 'hard', code: 'declined_by_provider', reason: 'The bank did not make the return.' },
});

// Replies.

const reais = z.string().regex(/^\d{1,10}\.\d{2}$/);
export const devolucao = z.object({
  id: z.string().min(1),
  rtrId: z.string().min(1),
  valor: reais,
  status: z.string(),
});
export const pix = z.object({ endToEndId: z.string().min(1), valor: reais });
export const cob = z.object({
  txid: z.string().min(1),
  calendario: z.object({ criacao: z.iso.datetime({ offset: true }), expiracao: z.int().nonnegative() }),
  status: z.string(),
  valor: z.object({ original: reais }),
  pixCopiaECola: z.string().optional(),
  pix: z.array(pix).optional(),
});
const problem = z.object({ type: z.string(), title: z.string(), violacoes: z.array(z.unknown()).optional() });
const refused = (...shown: readonly unknown[]) => reply([400, 403, 404], problem, ...shown);
const absent = reply(404, problem, samples.sampleAbsent);

// Endpoints.

export const api = providerApi(settings, {
  source: SOURCE,
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
  // The bank's own words: the last part of the problem's type, and its title.
  words: ({ type, title }: z.output<typeof problem>) => ({ code: type.split('/').at(-1) ?? type, message: title }),
});

export const authenticate = oauthToken(api.endpoint, {
  name: 'authenticate',
  path: '/token',
  baseUrl: ({ oauth_url }) => oauth_url,
  client: ({ client_id: id, client_secret }) => ({ by: 'basic', id, secret: client_secret }),
  examples: [{ status: 200, body: { access_token: 'example-token', expires_in: 3600 } }],
});

type Asking = Readonly<Record<'token' | 'txid', string>>;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export const getCob = api.endpoint({
  name: 'get-cob',
  path: '/cob/{txid}',
  repeat: 'safe',
  request: ({ token, txid }: Asking) => ({ params: { txid }, headers: bearer(token) }),
  replies: { found: reply(200, cob, { ...samples.sampleCob, status: 'CONCLUIDA', pix: [samples.samplePix] }), absent },
});

export type Purchase = ContextOf<Settings, typeof pixCharge, 'purchase'>;
type NewCob = Asking & Pick<Purchase, 'payment'>;

const named = (documento: string) => (documentType(documento) === 'CPF' ? { cpf: documento } : { cnpj: documento });

/** The path names the charge, so a request without a reply is looked up by its txid. */
export const putCob = api.endpoint({
  name: 'put-cob',
  method: 'PUT',
  path: '/cob/{txid}',
  repeat: 'by-reference',
  request: ({ token, txid, payment: { amount, parameters } }: NewCob, { settings: { chave, expiracao } }) => {
    const { devedor_documento: documento, devedor_nome: nome, solicitacaoPagador } = parameters;
    const devedor = documento === undefined ? undefined : { ...named(documento), nome };
    const json = {
      calendario: { expiracao },
      devedor,
      valor: { original: decimal(amount) },
      chave,
      solicitacaoPagador,
    };
    return { params: { txid }, headers: bearer(token), json };
  },
  find: foundBy(getCob, ({ token, txid }: NewCob) => ({ token, txid })),
  replies: {
    created: reply(201, cob, samples.sampleCob),
    refused: refused(samples.sampleInvalid, samples.sampleRefusal),
  },
});

/** The life of a charge counts from its creation, so the same request twice leaves the same end. */
export const patchCob = api.endpoint({
  name: 'patch-cob',
  method: 'PATCH',
  path: '/cob/{txid}',
  repeat: 'safe',
  request: ({ token, txid, expiracao }: Asking & { readonly expiracao: number }) => ({
    params: { txid },
    headers: bearer(token),
    json: { calendario: { expiracao } },
  }),
  replies: { created: reply(200, cob, { ...samples.sampleCob, revisao: 1 }), refused: refused(samples.sampleRefusal) },
});

type Return = Readonly<Record<'token' | 'e2eid' | 'id', string>>;
type NewReturn = Return & { readonly valor: string };

export const getDevolucao = api.endpoint({
  name: 'get-devolucao',
  path: '/pix/{e2eid}/devolucao/{id}',
  repeat: 'safe',
  request: ({ token, e2eid, id }: Return) => ({ params: { e2eid, id }, headers: bearer(token) }),
  replies: { found: reply(200, devolucao, { ...samples.sampleDevolucao, status: 'DEVOLVIDO' }), absent },
});

export const putDevolucao = api.endpoint({
  name: 'put-devolucao',
  method: 'PUT',
  path: '/pix/{e2eid}/devolucao/{id}',
  repeat: 'by-reference',
  request: ({ token, e2eid, id, valor }: NewReturn) => ({
    params: { e2eid, id },
    headers: bearer(token),
    json: { valor },
  }),
  find: foundBy(getDevolucao, ({ token, e2eid, id }: NewReturn) => ({ token, e2eid, id })),
  replies: { created: reply(201, devolucao, samples.sampleDevolucao), refused: refused(samples.sampleRefusedReturn) },
});
