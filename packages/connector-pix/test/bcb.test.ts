import { receiveNotification, type FlowName } from '@railyard/runtime';
import { fromDecimal } from '@railyard/core';
import { describe, expect, it } from 'vitest';
import {
  sampleAbsent,
  sampleCob,
  sampleDevolucao,
  sampleInvalid,
  samplePix,
  sampleRefusal,
} from '../src/bcb.samples.ts';
import { bcbConnector as connector, pixCharge as method } from '../src/index.ts';
import { exchange, knownPayment, NOW, OURS, paymentOf, type Script } from './support/exchange.ts';

const settings = {
  oauth_url: 'https://oauth.example/oauth',
  client_id: 'c',
  client_secret: 's',
  chave: 'a@example.com',
};
const TXID = OURS.replaceAll('-', '');
const REFUND = '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01';
const token = [200, { access_token: 'a-token', expires_in: 3600 }] as const;
const cob = { ...sampleCob, txid: TXID };
const pix = (valor: string, endToEndId = samplePix.endToEndId) => ({ ...samplePix, txid: TXID, valor, endToEndId });
const paid = (...received: readonly object[]) => ({ ...cob, status: 'CONCLUIDA', pix: received });
const money = fromDecimal('4.00', 'BRL');
const refund = { id: REFUND, amount: money, remaining: money };
const known = knownPayment('pix-charge', TXID);

const run = async (flow: FlowName, payment: object, script: Script, about: object = {}) => {
  const { outcome, report, lines } = await exchange({ connector, method, settings, flow, payment, about }, [
    token,
    ...script,
  ]);
  return { outcome, report, lines: lines.slice(1) };
};
const purchase = (script: Script) => run('purchase', paymentOf('pix-charge', {}), script);

describe('a charge', () => {
  it('asks for the amount under our reference, and shows the code until its life ends', async () => {
    const { outcome, lines } = await purchase([[201, cob]]);
    expect(lines).toEqual([
      `PUT /cob/${TXID} {"calendario":{"expiracao":86400},"valor":{"original":"10.00"},"chave":"a@example.com"}`,
    ]);
    expect(outcome).toMatchObject({ status: 'pending', providerReference: TXID });
    expect(outcome).toMatchObject({ show: { kind: 'qr', validUntil: '2026-11-22T12:00:00.000Z' } });
  });

  it('is shown where the bank writes its txid beside the address of the code, which the payer’s bank ignores', async () => {
    const pixCopiaECola =
      '00020101021226480014br.gov.bcb.pix2526pix.example/qr/v2/9d36b84f5204000053039865802BR5912Loja Exemplo6009SAO PAULO62290525QRS1F5CMMUTDLOVWF8UBT7Q466304F482';
    const { outcome } = await purchase([[201, { ...cob, pixCopiaECola }]]);
    expect(outcome).toMatchObject({ status: 'pending', show: { kind: 'qr', content: pixCopiaECola } });
  });

  it.each(['2026-11-21T09:00:00Z', '2026-11-21T15:00:00Z'])(
    'ends by our own clock where the bank writes that it was made at %s',
    async (criacao) => {
      const { outcome } = await purchase([[201, { ...cob, calendario: { criacao, expiracao: 86_400 } }]]);
      expect(outcome).toMatchObject({ status: 'pending', show: { validUntil: '2026-11-22T12:00:00.000Z' } });
    },
  );

  it.each(['2026-11-21T12:00:00Z', '2026-11-21T09:00:00Z', '2026-11-21T15:00:00Z'])(
    'that is renewed lives on from the moment when we asked for it, where the bank writes that it was made at %s',
    async (criacao) => {
      const made = await purchase([[201, cob]]);
      const { connectorState = {} } = made.outcome ?? {};
      const reply = { ...cob, calendario: { criacao, expiracao: 90_000 } };
      // The charge is an hour old by our clock.
      const { lines } = await run('renew', { ...known, connectorState: { askedAt: '2026-11-21T11:00:00.000Z' } }, [
        [200, reply],
        [200, reply],
      ]);
      expect(lines[1]).toBe(`PATCH /cob/${TXID} {"calendario":{"expiracao":90000}}`);
      expect(connectorState).toMatchObject({ askedAt: '2026-11-21T12:00:00.000Z' });
    },
  );

  it('is declined where the bank names the fields that are wrong, without another question', async () => {
    const { outcome, lines } = await purchase([[400, sampleInvalid]]);
    expect(outcome).toMatchObject({ status: 'declined', provider: { code: 'CobOperacaoInvalida' } });
    expect(lines).toHaveLength(1);
  });

  it('that is refused without a field is the one that the bank has, or declined where it has none', async () => {
    expect(
      (
        await purchase([
          [400, sampleRefusal],
          [200, cob],
        ])
      ).outcome,
    ).toMatchObject({ status: 'pending', show: {} });
    expect(
      (
        await purchase([
          [400, sampleRefusal],
          [404, sampleAbsent],
        ])
      ).outcome?.status,
    ).toBe('declined');
  });

  it('of another txid is unknown', async () => {
    expect((await purchase([[201, { ...cob, txid: 'a'.repeat(32) }]])).outcome?.status).toBe('unknown');
  });

  it('that is paid is settled with what arrived, and keeps the Pix that returns are made of', async () => {
    const { outcome } = await run('status', known, [[200, paid(pix('7.00'), pix('3.50', 'E'.repeat(32)))]]);
    expect(outcome).toMatchObject({ status: 'settled', amount: { text: '10.50' } });
    expect(outcome).toMatchObject({ connectorState: { e2eid: samplePix.endToEndId } });
  });
});

describe('a return', () => {
  it('is made of the Pix that paid, by our id of it', async () => {
    const payment = { ...known, connectorState: { e2eid: samplePix.endToEndId } };
    const devolucao = { ...sampleDevolucao, id: REFUND.replaceAll('-', ''), valor: '4.00' };
    const { outcome, lines } = await run('refund', payment, [[201, devolucao]], refund);
    expect(lines).toEqual([
      `PUT /pix/${samplePix.endToEndId}/devolucao/${REFUND.replaceAll('-', '')} {"valor":"4.00"}`,
    ]);
    expect(outcome).toMatchObject({ status: 'pending', providerReference: sampleDevolucao.rtrId });
  });

  it('of a charge without a Pix is declined, and nothing is asked for', async () => {
    const { outcome, lines } = await run('refund', known, [[200, cob]], refund);
    expect([outcome?.status, lines]).toEqual(['declined', [`GET /cob/${TXID}`]]);
  });
});

describe('a lookup of a Pix that went back', () => {
  const looked = async (...devolucoes: readonly object[]) => {
    return (await run('status', known, [[200, paid({ ...samplePix, devolucoes })]])).report;
  };

  it('reports the payment and each return', async () => {
    expect(await looked({ ...sampleDevolucao, status: 'DEVOLVIDO', natureza: 'ORIGINAL' })).toMatchObject({
      events: [
        { kind: 'payment', outcome: { status: 'settled' } },
        { kind: 'refund', outcome: { status: 'settled', providerReference: sampleDevolucao.rtrId } },
      ],
    });
  });

  it.each(['MED_FRAUDE', 'MED_OPERACIONAL'])('by the bank itself, %s, reports a dispute', async (natureza) => {
    expect(await looked({ ...sampleDevolucao, status: 'DEVOLVIDO', natureza })).toMatchObject({
      events: [{ kind: 'payment' }, { kind: 'chargeback', amount: { text: '10.00' } }],
    });
    // Under way it is nothing yet: the outcome of the payment stands alone.
    expect(await looked({ ...sampleDevolucao, natureza })).toBeUndefined();
  });
});

describe('a notification', () => {
  const readText = (body: string) =>
    receiveNotification(
      connector,
      connector.settings.parse({ base_url: 'https://api.example', ...settings }),
      { body, headers: {} },
      Date.parse(NOW),
    );
  const read = (body: object) => readText(JSON.stringify(body));

  it('without a body, by which a bank tries the address, is acknowledged', () => {
    expect(readText('')).toMatchObject({ kind: 'events', events: [], genuine: false, acknowledge: { status: 200 } });
  });

  it.each([{}, { evento: 'teste_webhook' }])('that only tries the address is acknowledged: %j', (body) => {
    expect(read(body)).toMatchObject({ kind: 'events', events: [], unread: [], acknowledge: { status: 200 } });
  });

  it('is read beside a Pix to the key, and beside one that is not understood', () => {
    const { txid: _txid, ...toTheKey } = pix('3.00');
    const received = read({ pix: [toTheKey, { ...pix('10.00'), valor: 'ten' }, pix('10.00')] });
    expect(received).toMatchObject({ events: [{ providerReference: TXID }], unread: [expect.any(String)] });
  });

  it('of a Pix and of its return is a hint of both', () => {
    const received = read({
      pix: [{ ...pix('10.00'), devolucoes: [{ ...sampleDevolucao, status: 'NAO_REALIZADO' }] }],
    });
    expect(received).toMatchObject({
      proven: false,
      events: [
        { kind: 'payment', providerReference: TXID, merchantReference: OURS, outcome: { status: 'settled' } },
        {
          kind: 'refund',
          providerReference: TXID,
          outcome: { status: 'declined', providerReference: sampleDevolucao.rtrId },
        },
      ],
    });
  });
});

it('shows the bank the certificate of the account, and trusts the authority that it names', () => {
  const own = { certificate: 'the-certificate', certificate_key: 'its-key', ca: 'the-authority' };
  const of = (more: object) =>
    connector.tls?.(connector.settings.parse({ base_url: 'https://api.example', ...settings, ...more }));
  expect(of(own)).toEqual({ cert: 'the-certificate', key: 'its-key', ca: 'the-authority' });
  expect(of({})).toEqual({});
});
