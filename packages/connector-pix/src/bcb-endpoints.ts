import { field, oauthToken, providerApi, secret, statusTable } from '@railyard/core';
import * as z from 'zod';
import {
  sampleAbsent,
  sampleCob,
  sampleDevolucao,
  sampleInvalid,
  samplePix,
  sampleRefusal,
  sampleRefusedReturn,
} from './bcb.samples.ts';

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
export const problem = z.object({ type: z.string(), title: z.string(), violacoes: z.array(z.unknown()).optional() });
const refused = { status: [400, 403, 404], body: problem } as const;

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
});

export const authenticate = oauthToken(api.endpoint, {
  name: 'authenticate',
  path: '/token',
  baseUrl: ({ oauth_url }) => oauth_url,
  client: ({ client_id: id, client_secret }) => ({ by: 'basic', id, secret: client_secret }),
  examples: [{ status: 200, body: { access_token: 'example-token', expires_in: 3600 } }],
});

interface Asking {
  readonly token: string;
  readonly txid: string;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export const getCob = api.endpoint({
  name: 'get-cob',
  path: '/cob/{txid}',
  repeat: 'safe',
  request: ({ token, txid }: Asking) => ({ params: { txid }, headers: bearer(token) }),
  replies: { found: { status: 200, body: cob }, absent: { status: 404, body: problem } },
  examples: [
    { is: 'found', status: 200, body: { ...sampleCob, status: 'CONCLUIDA', pix: [samplePix] } },
    { is: 'absent', status: 404, body: sampleAbsent },
  ],
});

export interface NewCob extends Asking {
  readonly json: {
    readonly calendario: { readonly expiracao: number };
    readonly devedor?: Readonly<Record<string, string | undefined>> | undefined;
    readonly valor: { readonly original: string };
    readonly chave: string;
    readonly solicitacaoPagador: string | undefined;
  };
}

/** The path names the charge, so a request without a reply is looked up by its txid. */
export const putCob = api.endpoint({
  name: 'put-cob',
  method: 'PUT',
  path: '/cob/{txid}',
  repeat: 'by-reference',
  request: ({ token, txid, json }: NewCob) => ({ params: { txid }, headers: bearer(token), json }),
  find: {
    endpoint: getCob,
    input: ({ token, txid }) => ({ token, txid }),
    read: (answer) => (answer.reply === 'found' ? { found: { reply: 'created', body: answer.body } } : 'absent'),
  },
  replies: { created: { status: 201, body: cob }, refused },
  examples: [
    { is: 'created', status: 201, body: sampleCob },
    { is: 'refused', status: 400, body: sampleInvalid },
    { is: 'refused', status: 400, body: sampleRefusal },
  ],
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
  replies: { created: { status: 200, body: cob }, refused },
  examples: [
    { is: 'created', status: 200, body: { ...sampleCob, revisao: 1 } },
    { is: 'refused', status: 400, body: sampleRefusal },
  ],
});

interface Return {
  readonly token: string;
  readonly e2eid: string;
  readonly id: string;
}

export const getDevolucao = api.endpoint({
  name: 'get-devolucao',
  path: '/pix/{e2eid}/devolucao/{id}',
  repeat: 'safe',
  request: ({ token, e2eid, id }: Return) => ({ params: { e2eid, id }, headers: bearer(token) }),
  replies: { found: { status: 200, body: devolucao }, absent: { status: 404, body: problem } },
  examples: [
    { is: 'found', status: 200, body: { ...sampleDevolucao, status: 'DEVOLVIDO' } },
    { is: 'absent', status: 404, body: sampleAbsent },
  ],
});

export const putDevolucao = api.endpoint({
  name: 'put-devolucao',
  method: 'PUT',
  path: '/pix/{e2eid}/devolucao/{id}',
  repeat: 'by-reference',
  request: ({ token, e2eid, id, valor }: Return & { readonly valor: string }) => ({
    params: { e2eid, id },
    headers: bearer(token),
    json: { valor },
  }),
  find: {
    endpoint: getDevolucao,
    input: ({ token, e2eid, id }) => ({ token, e2eid, id }),
    read: (answer) => (answer.reply === 'found' ? { found: { reply: 'created', body: answer.body } } : 'absent'),
  },
  replies: { created: { status: 201, body: devolucao }, refused },
  examples: [
    { is: 'created', status: 201, body: sampleDevolucao },
    { is: 'refused', status: 400, body: sampleRefusedReturn },
  ],
});
