import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { doctored } from './support/doctored.ts';
import { type Answer, fakeProvider } from './support/fake-provider.ts';

const TOKEN: Answer = { status: 200, body: { access_token: 'a-token-of-the-bank', expires_in: 3600 } };
const ABSENT: Answer = {
  status: 400,
  body: { Errors: [{ ErrorCode: 'U011', Message: 'The consent is not known.' }] },
};

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const own = {
  issuer: 'https://bank.example',
  client_id: 'the-client',
  signing_key: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
  kid: 'the-key-id',
  signature_issuer: '0015800001041RHAAY/the-software',
};

let bank: Awaited<ReturnType<typeof fakeProvider>>;
let answers = { token: TOKEN, consent: ABSENT };
let assertion: URLSearchParams | undefined;
beforeAll(async () => {
  bank = await fakeProvider(({ url }, body) => {
    if (url === '/as/jwks') return { status: 200, body: { keys: [] } };
    if (url !== '/as/token') return answers.consent;
    assertion = new URLSearchParams(body);
    return answers.token;
  });
});
beforeEach(() => {
  answers = { token: TOKEN, consent: ABSENT };
  bank.asked.length = 0;
});
afterAll(() => bank.close());

const account = () => ({
  ...own,
  base_url: `${bank.url}/pisp`,
  authorization_url: `${bank.url}/authorize`,
  oauth_url: `${bank.url}/as/token`,
  jwks_uri: `${bank.url}/as/jwks`,
});
const findings = (settings: object) =>
  doctored({
    connector: 'obUkConnector',
    from: '@railyard/connector-open-banking',
    id: 'ob-uk',
    method: 'open-banking',
    settings,
    secrets: [own.signing_key, 'a-token-of-the-bank'],
  });

describe('railyard doctor with an account at a bank of Open Banking UK', () => {
  test('fetches a token with a signed assertion, looks up a made-up consent, and makes none', async () => {
    const of = await findings(account());
    expect(of('provider')).toEqual(['ok: The connector’s check says that the account works.']);
    expect(bank.asked).toEqual([
      'GET /as/jwks',
      'POST /as/token',
      'GET /pisp/domestic-payment-consents/railyard-doctor',
    ]);
    expect(assertion?.get('grant_type')).toBe('client_credentials');
    expect(assertion?.get('client_assertion')?.split('.')).toHaveLength(3);
  });

  test('names the credentials that are missing', async () => {
    const { signing_key: _key, kid: _kid, client_id: _client, ...rest } = account();
    const of = await findings(rest);
    expect(of('settings').map((each) => /settings\.(\w+)/.exec(each)?.[1])).toEqual([
      'client_id',
      'signing_key',
      'kid',
    ]);
  });

  test.each([
    [
      'refuses the client',
      { token: { status: 401, body: { error: 'invalid_client' } }, consent: ABSENT },
      'authenticate',
    ],
    ['refuses the token', { token: TOKEN, consent: { status: 401 } }, 'get-consent'],
    ['gives the client no right to payments', { token: TOKEN, consent: { status: 403 } }, 'get-consent'],
  ])('says that the bank %s', async (_what, given, endpoint) => {
    answers = given;
    expect((await findings(account()))('provider')).toEqual([
      expect.stringMatching(new RegExp(`^failed: .*refused the credentials \\(40[13] from ${endpoint}\\)`)),
    ]);
  });

  test('says that another address than that of the API answers', async () => {
    answers = { token: TOKEN, consent: { status: 404, body: {} } };
    expect((await findings(account()))('provider')).toEqual([expect.stringMatching(/^failed: .*Check the address/)]);
  });
});
