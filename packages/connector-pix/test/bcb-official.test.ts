import { readFileSync } from 'node:fs';
import { checkAgainst, type Facts, type SentRequest } from '@railyard/conformance/official';
import type { FlowName, HttpRequest } from '@railyard/runtime';
import { fromDecimal } from '@railyard/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { bcbConnector as connector, pixCharge as method } from '../src/index.ts';
import {
  sampleAbsent,
  sampleCob,
  sampleDevolucao,
  sampleInvalid,
  sampleNotification,
  samplePix,
  sampleRefusal,
} from '../src/bcb.samples.ts';
import { exchange, knownPayment, OURS, paymentOf, type Script } from './support/exchange.ts';

const facts: Facts = JSON.parse(readFileSync(new URL('official/bcb-pix.json', import.meta.url), 'utf8'));
const official = checkAgainst(facts);

const settings = {
  oauth_url: 'https://oauth.example/oauth',
  client_id: 'the-client',
  client_secret: 'the-client-secret',
  chave: 'loja@example.com',
};
const DEBTOR = { devedor_documento: '52998224725', devedor_nome: 'Maria Silva', solicitacaoPagador: 'Membership?' };
const TXID = OURS.replaceAll('-', '');
const REFUND = '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01';
const token = [200, { access_token: 'a-token', expires_in: 3600 }] as const;
const cob = { ...sampleCob, txid: TXID };
const paid = { ...cob, status: 'CONCLUIDA', pix: [{ ...samplePix, txid: TXID }] };
const devolucao = { ...sampleDevolucao, id: REFUND.replaceAll('-', '') };
const known = { ...knownPayment('pix-charge', TXID), connectorState: {} };
const money = fromDecimal('4.00', 'BRL');
const refund = { id: REFUND, amount: money, remaining: money };
const modification = { modification: { name: 'refund', id: REFUND, amount: money } };

const run = (flow: FlowName, payment: object, script: Script, about: object = {}) =>
  exchange({ connector, method, settings, flow, payment, about }, [token, ...script]);

/** Requests of the API itself; the token endpoint is OAuth's and stands in no operation of the description. */
const sentOf = (asked: readonly HttpRequest[]): readonly SentRequest[] =>
  asked
    .filter(({ url }) => url.startsWith('https://api.example/'))
    .map(({ method, url, headers, body }) => ({
      method,
      path: new URL(url).pathname,
      headers,
      ...(body !== undefined && { body: JSON.parse(body) }),
    }));

describe('every request of every flow is what the official description says', () => {
  const flows: readonly (readonly [string, () => ReturnType<typeof run>, number])[] = [
    ['a charge', () => run('purchase', paymentOf('pix-charge', {}), [[201, cob]]), 1],
    ['a charge of a person', () => run('purchase', paymentOf('pix-charge', DEBTOR), [[201, cob]]), 1],
    [
      'a charge of a company',
      () => run('purchase', paymentOf('pix-charge', { ...DEBTOR, devedor_documento: '12ABC34501DE35' }), [[201, cob]]),
      1,
    ],
    [
      'a refused charge',
      () =>
        run('purchase', paymentOf('pix-charge', {}), [
          [400, sampleRefusal],
          [404, sampleAbsent],
        ]),
      2,
    ],
    ['a lookup', () => run('status', known, [[200, paid]]), 1],
    [
      'a refund',
      () =>
        run(
          'refund',
          known,
          [
            [200, paid],
            [201, devolucao],
          ],
          refund,
        ),
      2,
    ],
    [
      'a refused refund',
      () =>
        run(
          'refund',
          known,
          [
            [200, paid],
            [400, sampleRefusal],
            [404, sampleAbsent],
          ],
          refund,
        ),
      3,
    ],
    [
      'the lookup of a refund',
      () =>
        run(
          'modificationStatus',
          known,
          [
            [200, paid],
            [200, devolucao],
          ],
          modification,
        ),
      2,
    ],
    [
      'a renewal',
      () =>
        run('renew', known, [
          [200, cob],
          [200, cob],
        ]),
      2,
    ],
  ];
  it.each(flows)('%s', async (_name, sends, requests) => {
    const sent = sentOf((await sends()).asked);
    expect(sent).toHaveLength(requests);
    expect(sent.flatMap((each) => official.request(each))).toEqual([]);
  });

  it('a request that is changed on purpose is refused', async () => {
    const [sent] = sentOf((await run('purchase', paymentOf('pix-charge', DEBTOR), [[201, cob]])).asked);
    if (sent === undefined) throw new Error('No request was sent.');
    const body = z.record(z.string(), z.unknown()).parse(sent.body);
    const offences = (change: object) => official.request({ ...sent, body: { ...body, ...change } });
    expect(offences({ valor: { original: 10 } })).toEqual([expect.stringContaining('valor/original: must be string')]);
    expect(offences({ valor: { original: '10' } })).toEqual([expect.stringContaining('must match pattern')]);
    expect(offences({ calendario: undefined })).toEqual([expect.stringContaining("'calendario'")]);
    expect(offences({ descricao: 'Two books' })).toEqual([expect.stringContaining('(descricao)')]);
    expect(offences({ devedor: { cpf: '529.982.247-25', nome: 'Maria' } }).length).toBeGreaterThan(0);
    expect(official.request({ ...sent, path: '/cob/short' })).toEqual([expect.stringContaining('path txid')]);
    expect(official.request({ ...sent, method: 'POST' })).toEqual([expect.stringContaining('no such operation')]);
  });
});

describe('every sample is a reply of the official description', () => {
  /** The description's names of the endpoints. */
  const api = connector.endpoints.filter(({ name }) => name !== 'authenticate');

  it.each(api)('$name', ({ method, path, examples }) => {
    const at = { method, path: path.replace('{txid}', TXID).replace('{e2eid}', 'E'.repeat(32)).replace('{id}', 'abc') };
    expect(examples.length).toBeGreaterThan(1);
    expect(examples.flatMap(({ status = 200, body }) => official.reply(at, { status, body }))).toEqual([]);
  });

  it('the notification too, and one without its end-to-end id is refused', () => {
    const post = (body: unknown) => official.request({ method: 'POST', path: 'listaPix', headers: {}, body });
    expect(post(sampleNotification)).toEqual([]);
    const { endToEndId: _id, ...rest } = samplePix;
    expect(post({ pix: [rest] })).toEqual([expect.stringContaining("'endToEndId'")]);
  });

  it('a sample that is changed on purpose is refused', () => {
    const at = { method: 'PUT', path: `/cob/${TXID}` };
    expect(official.reply(at, { status: 201, body: { ...sampleCob, status: 'PAGA' } })).toHaveLength(1);
    expect(official.reply(at, { status: 422, body: sampleInvalid })).toHaveLength(1);
  });
});

it('the facts name the one defect that is mended: the CPF pattern carries its slashes', () => {
  expect(facts.corrections.map(({ at }) => at)).toEqual(['#/components/schemas/PessoaFisica/properties/cpf/pattern']);
});
