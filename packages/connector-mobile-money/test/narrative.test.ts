import { readBody } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { narrativeConnector as connector } from '../src/index.ts';
import { exchange, lookedUp, OURS, outcomeOf, paymentOf, type Script } from './support/exchange.ts';
import { collectionOf } from './support/sessions.ts';

const key = 'mobile-money-ug';
const settings = { username: 'shop', password: 'the-password' };
const phone = { mobile_number: '+256712345678' };
const replyOf = (more = '', status = 'PENDING') =>
  `<?xml version="1.0"?><Response><Status>OK</Status><StatusCode>0</StatusCode><TransactionStatus>${status}</TransactionStatus>` +
  `<TransactionReference>T1</TransactionReference><Amount>5000</Amount><CurrencyCode>UGX</CurrencyCode>${more}</Response>`;
const ERROR =
  '<Response><Status>ERROR</Status><StatusCode>-9</StatusCode><StatusMessage>Not known.</StatusMessage></Response>';

const sessionBy = (parameters: object) => collectionOf(key, { ...phone, ...parameters }, '5000.00', 'UGX');
const purchase = (parameters: object, script: Script = [[200, replyOf()]]) =>
  exchange({ connector, key, settings, flow: 'purchase', payment: paymentOf(sessionBy(parameters), key) }, script);

async function sent(parameters: object): Promise<unknown> {
  const run = purchase(parameters);
  await run.drive();
  return readBody(run.asked[0]?.body ?? '', 'xml');
}

const REQUEST = {
  APIUsername: 'shop',
  APIPassword: 'the-password',
  Method: 'Deposit',
  Amount: '5000',
  Account: '256712345678',
  Narrative: 'Two books',
  ExternalReference: OURS,
  NotificationUrl: 'https://pay.example/notify/mid-1',
  Currency: 'UGX',
};

describe('a deposit', () => {
  it('asks the phone', async () => {
    const run = purchase({});
    expect(outcomeOf(await run.drive())).toMatchObject({
      status: 'pending',
      providerReference: 'T1',
      show: { kind: 'confirm-on-device', number: '+256 •••••-5678' },
    });
    expect(run.lines()).toEqual(['POST /deposits']);
    expect(run.asked[0]?.headers['content-type']).toBe('application/xml');
  });

  it('sends every parameter under its own name', async () => {
    const parameters = {
      AccountProviderCode: 'MTN_UGANDA',
      NarrativeFileName: 'a.pdf',
      NarrativeFileBase64: 'JVBERi0=',
      ProviderReferenceText: 'Thank you',
    };
    expect(await sent(parameters)).toEqual({ Request: { ...REQUEST, ...parameters } });
  });

  it.each([[{ NarrativeFileName: 'a.pdf' }], [{ NarrativeFileBase64: 'JVBERi0=' }]])(
    'leaves out a file of which there is only a half: %j',
    async (half) => {
      expect(await sent(half)).toEqual({ Request: REQUEST });
    },
  );

  it.each([
    '</Narrative><Amount>1</Amount>',
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;',
    'a]]>b',
    '& < > " \'',
  ])('stays well formed with the text %s', async (ProviderReferenceText) => {
    const run = purchase({ ProviderReferenceText });
    await run.drive();
    const body = run.asked[0]?.body ?? '';
    expect(readBody(body, 'xml')).toEqual({ Request: { ...REQUEST, ProviderReferenceText } });
    expect(body.match(/<Amount>/g)).toHaveLength(1);
    expect(body).not.toMatch(/<!/);
  });

  it('that is refused is declined with the provider’s words', async () => {
    expect(outcomeOf(await purchase({}, [[200, ERROR]]).drive())).toMatchObject({
      status: 'declined',
      kind: 'hard',
      provider: { code: '-9', message: 'Not known.' },
    });
  });

  it('whose reply was lost is looked up by our reference', async () => {
    const run = purchase({}, ['lost', [200, replyOf('', 'SUCCEEDED')]]);
    await run.drive();
    expect(outcomeOf(await run.drive())).toMatchObject({ status: 'settled', amount: { text: '5000.00' } });
    expect(run.lines()).toEqual(['POST /deposits', 'POST /transactions/check']);
  });

  it.each([
    ['another amount', replyOf().replace('5000', '4,000')],
    ['no amount', replyOf().replace('<Amount>5000</Amount>', '')],
    ['no XML', 'OK'],
  ])('with %s in its reply is not understood', async (_what, reply) => {
    expect(await purchase({}, [[200, reply]]).drive()).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
  });
});

describe('a lookup', () => {
  const look = (reply: string) =>
    exchange({ connector, key, settings, flow: 'status', payment: lookedUp(sessionBy({}), key, 'T1') }, [[200, reply]]);

  it.each([
    ['SUCCEEDED', { status: 'settled' }],
    ['PENDING', { status: 'pending' }],
    ['FAILED', { status: 'declined', kind: 'soft' }],
    ['EXPIRED', { status: 'declined', reason: 'The request was not confirmed on the phone in time.' }],
    ['INDETERMINATE', { status: 'unknown' }],
  ])('reads %s', async (status, expected) => {
    expect(outcomeOf(await look(replyOf('', status)).drive())).toMatchObject(expected);
  });

  it('never takes an error for a decline', async () => {
    expect(outcomeOf(await look(ERROR).drive())).toMatchObject({ status: 'unknown' });
  });
});
