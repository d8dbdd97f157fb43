import type { Golden } from '@railyard/conformance';

/** Written from the official description, apart from the connector: its schemas and its examples. */
const source = 'https://github.com/bacen/pix-api, 2.9.0: ';
const code =
  '00020101021226480014br.gov.bcb.pix2526pix.example/qr/v2/9d36b84f5204000053039865802BR5912Loja Exemplo6009SAO PAULO62070503***6304D34F';
const bearer = { authorization: 'Bearer example-token' };
const TXID = '{compact_reference}';
const e2eid = 'E1234567820200909122120200808008';
const cob = {
  calendario: { criacao: '2026-11-21T09:00:00.000Z', expiracao: 3600 },
  txid: TXID,
  revisao: 0,
  status: 'ATIVA',
  valor: { original: '25.00' },
  chave: 'loja@example.com',
  pixCopiaECola: code,
};
const paid = {
  ...cob,
  status: 'CONCLUIDA',
  pix: [{ endToEndId: e2eid, txid: TXID, valor: '25.00', horario: '2020-09-09T20:15:00.358Z' }],
};
const RTRID = 'D12345678202009091000abcde123456';
const devolucao = (status: string) => ({
  id: '{compact_modification}',
  rtrId: RTRID,
  valor: '25.00',
  horario: { solicitacao: '2020-09-11T15:25:59.411Z' },
  status,
});
const absent = { type: 'https://pix.bcb.gov.br/api/v2/error/NaoEncontrado', title: 'Not found', status: 404 };

export const bcbGoldens: readonly Golden[] = [
  {
    endpoint: 'put-cob',
    source: `${source}PUT /cob/{txid}, CobSolicitada, CobGerada`,
    when: 'a charge is made',
    request: {
      method: 'PUT',
      path: `/cob/${TXID}`,
      headers: bearer,
      body: {
        calendario: { expiracao: 86400 },
        devedor: { cpf: '52998224725', nome: 'Maria Silva' },
        valor: { original: '25.00' },
        chave: 'loja@example.com',
        solicitacaoPagador: 'Your membership number?',
      },
    },
    reply: { status: 201, body: cob },
    outcome: { status: 'pending', show: { kind: 'qr', content: code, validUntil: '2026-11-22T10:00:00.000Z' } },
  },
  {
    endpoint: 'get-cob',
    by: { flow: 'status' },
    source: `${source}GET /cob/{txid}, CobCompleta`,
    when: 'a charge is paid',
    request: { method: 'GET', path: `/cob/${TXID}`, headers: bearer },
    reply: { status: 200, body: paid },
    outcome: { status: 'settled', amount: '25.00 BRL', connectorState: { e2eid } },
  },
  {
    endpoint: 'put-devolucao',
    source: `${source}PUT /pix/{e2eid}/devolucao/{id}, DevolucaoSolicitada, Devolucao`,
    when: 'money is given back',
    request: {
      method: 'PUT',
      path: `/pix/${e2eid}/devolucao/{compact_modification}`,
      headers: bearer,
      body: { valor: '25.00' },
    },
    reply: { status: 201, body: devolucao('EM_PROCESSAMENTO') },
    outcome: { status: 'pending', providerReference: RTRID },
  },
  ...(
    [
      ['EM_PROCESSAMENTO', { status: 'pending' }],
      ['DEVOLVIDO', { status: 'settled', amount: '25.00 BRL' }],
      ['NAO_REALIZADO', { status: 'declined', kind: 'hard' }],
    ] as const
  ).map(([status, outcome]) => ({
    endpoint: 'get-devolucao',
    by: { flow: 'modificationStatus' as const },
    source: `${source}GET /pix/{e2eid}/devolucao/{id}, Devolucao`,
    when: `a return is ${status}`,
    request: { method: 'GET', path: `/pix/${e2eid}/devolucao/{compact_modification}`, headers: bearer },
    reply: { status: 200, body: devolucao(status) },
    outcome,
  })),
  {
    endpoint: 'get-cob',
    by: { flow: 'status' },
    source: `${source}GET /cob/{txid}, NaoEncontrado`,
    when: 'the bank has no such charge',
    request: { method: 'GET', path: `/cob/${TXID}`, headers: bearer },
    reply: { status: 404, body: absent },
    outcome: { status: 'unknown', provider: { code: 'NaoEncontrado' } },
  },
  {
    endpoint: 'patch-cob',
    source: `${source}PATCH /cob/{txid}, CobRevisada, CobGerada`,
    when: 'a code lives longer',
    request: {
      method: 'PATCH',
      path: `/cob/${TXID}`,
      headers: bearer,
      // A day from now: the charge was asked for just now, whatever creation the bank writes.
      body: { calendario: { expiracao: 86_400 } },
    },
    reply: { status: 200, body: { ...cob, revisao: 1, calendario: { ...cob.calendario, expiracao: 86_400 } } },
    outcome: { status: 'pending', show: { kind: 'qr', content: code, validUntil: '2026-11-22T10:00:00.000Z' } },
  },
  {
    endpoint: 'remove-cob',
    source: `${source}PATCH /cob/{txid}, CobRevisada.status, CobGerada`,
    when: 'the payer pays another way',
    request: {
      method: 'PATCH',
      path: `/cob/${TXID}`,
      headers: bearer,
      body: { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' },
    },
    reply: { status: 200, body: { ...cob, revisao: 1, status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' } },
    outcome: { status: 'declined', kind: 'hard' },
  },
  {
    endpoint: 'authenticate',
    source: `${source}securitySchemes.OAuth2, clientCredentials; RFC 6749, 2.3.1, 4.4.2 and 5.1`,
    when: 'a token is fetched',
    request: {
      method: 'POST',
      path: '/token',
      headers: { authorization: 'Basic {base64:{settings.client_id}:{settings.client_secret}}' },
      body: { grant_type: 'client_credentials' },
    },
    reply: { status: 200, body: { access_token: 'example-token', token_type: 'Bearer', expires_in: 3600 } },
  },
];
