import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { doctored } from './support/doctored.ts';
import { type Answer, fakeProvider } from './support/fake-provider.ts';

/** The answers of a provider: to the request for a token, where there is one, and to any other. */
interface Answers {
  readonly token?: Answer;
  readonly api: Answer;
}

/** An account at a provider that exists. */
interface Account {
  readonly connector: string;
  readonly from: string;
  readonly id: string;
  readonly method: string;
  /** The settings of the account, at a provider with this address. */
  readonly settings: (url: string) => Readonly<Record<string, string>>;
  /** The credentials among the settings, which are named where they are missing. */
  readonly credentials: readonly string[];
  /** The credentials that the answer must not show. */
  readonly secrets: readonly string[];
  /** Where the provider gives tokens, and its other addresses that answer `{}`. */
  readonly tokenAt?: string;
  readonly others?: readonly string[];
  readonly answers: Answers;
  readonly asked: readonly unknown[];
  readonly found: string;
  /** A callback goes to an address that each request names. */
  readonly namesAddress?: true;
  readonly refusals: readonly (readonly [what: string, answers: Partial<Answers>, says: RegExp])[];
}

const WORKS = 'ok: The connector’s check says that the account works.';
const UNKNOWN = 'ok: It answered, and does not know a made-up payment.';
const UUID = '[0-9a-f-]{36}';
const refused = (status: number, endpoint: string) =>
  new RegExp(`^failed: .*refused the credentials \\(${status} from ${endpoint}\\)`);
const token: Answer = { status: 200, body: { access_token: 'a-token', token_type: 'Bearer', expires_in: 3600 } };
const noClient: Answer = { status: 401, body: { error: 'invalid_client' } };
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signing_key = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));

const ACCOUNTS: readonly Account[] = [
  {
    connector: 'adyenConnector',
    from: '@railyard/connector-card',
    id: 'card-adyen',
    method: 'card',
    settings: (base_url) => ({
      base_url,
      api_key: 'the-api-key-of-adyen',
      merchant_account: 'ExampleShopECOM',
      hmac_key: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
    }),
    credentials: ['api_key', 'hmac_key'],
    secrets: ['the-api-key-of-adyen'],
    answers: { api: { status: 200, body: { paymentMethods: [{ type: 'scheme' }] } } },
    asked: ['POST /paymentMethods'],
    found: WORKS,
    refusals: [
      [
        'the key is refused',
        { api: { status: 401, body: { status: 401, errorCode: '000', message: 'Unauthorized' } } },
        /^failed: .*refused the credentials \(401/,
      ],
      [
        'the merchant account is not the key’s',
        { api: { status: 403, body: { status: 403, errorCode: '901', message: 'Invalid Merchant Account' } } },
        /^failed: Invalid Merchant Account$/,
      ],
    ],
  },
  {
    connector: 'stripeConnector',
    from: '@railyard/connector-card',
    id: 'card-stripe',
    method: 'card',
    settings: (base_url) => ({
      base_url,
      secret_key: 'the-secret-key-of-stripe',
      webhook_secret: 'the-signing-secret-of-stripe',
    }),
    credentials: ['secret_key', 'webhook_secret'],
    secrets: ['the-secret-key-of-stripe', 'the-signing-secret-of-stripe'],
    answers: { api: { status: 200, body: { object: 'balance', available: [], livemode: false } } },
    asked: ['GET /v1/balance'],
    found: WORKS,
    refusals: [
      [
        'the key is refused',
        {
          api: { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } } },
        },
        /^failed: Invalid API Key provided$/,
      ],
    ],
  },
  {
    connector: 'paystackConnector',
    from: '@railyard/connector-mobile-money',
    id: 'mobile-money-paystack',
    method: 'mobile-money-paystack',
    settings: (base_url) => ({ base_url, secret_key: 'sk_test_of_the_account' }),
    credentials: ['secret_key'],
    secrets: ['sk_test_of_the_account'],
    answers: { api: { status: 404, body: { status: false, message: 'Transaction reference not found' } } },
    asked: [expect.stringMatching(new RegExp(`^GET /transaction/verify/${UUID}$`))],
    found: UNKNOWN,
    refusals: [
      [
        'the key is refused',
        { api: { status: 401, body: { status: false, message: 'Invalid key' } } },
        refused(401, 'verify-charge'),
      ],
    ],
  },
  {
    connector: 'gsmaConnector',
    from: '@railyard/connector-mobile-money',
    id: 'mobile-money-gsma',
    method: 'mobile-money-gsma',
    settings: (url) => ({
      base_url: url,
      oauth_url: url,
      consumerKey: 'the-consumer',
      party_value: '2999',
      consumerSecret: 'the-consumer-secret',
      apiKey: 'the-api-key',
    }),
    credentials: ['consumerSecret', 'apiKey'],
    secrets: ['the-consumer-secret', 'the-api-key'],
    tokenAt: '/accesstoken',
    answers: {
      token: { status: 200, body: { access_token: 't-1', token_type: 'BearerToken', expires_in: '3599' } },
      api: { status: 404, body: { errorCategory: 'identification', errorCode: 'identifierError' } },
    },
    asked: [
      expect.stringMatching(/^POST \/accesstoken/),
      expect.stringMatching(new RegExp(`^GET /responses/${UUID}$`)),
    ],
    found: UNKNOWN,
    namesAddress: true,
    refusals: [['the consumer is refused', { token: noClient }, refused(401, 'authenticate')]],
  },
  {
    connector: 'btcpayConnector',
    from: '@railyard/connector-crypto',
    id: 'bitcoin-btcpay',
    method: 'bitcoin-btcpay',
    settings: (base_url) => ({
      base_url,
      api_key: 'the-api-key',
      store_id: 'the-store',
      webhook_secret: 'the-webhook-secret',
    }),
    credentials: ['api_key', 'webhook_secret'],
    secrets: ['the-api-key', 'the-webhook-secret'],
    answers: { api: { status: 200, body: [] } },
    asked: [expect.stringMatching(new RegExp(`^GET /api/v1/stores/the-store/invoices\\?orderId=${UUID}$`))],
    found: UNKNOWN,
    refusals: [
      [
        'the key is refused',
        { api: { status: 401, body: { code: 'unauthenticated', message: 'Authentication is required.' } } },
        refused(401, 'find-invoices'),
      ],
    ],
  },
  {
    connector: 'conektaConnector',
    from: '@railyard/connector-voucher',
    id: 'conekta',
    method: 'cash-voucher',
    settings: (base_url) => ({ base_url, api_key: 'the-private-key' }),
    credentials: ['api_key'],
    secrets: ['the-private-key'],
    answers: { api: { status: 200, body: { object: 'list', has_more: false, data: [] } } },
    asked: [expect.stringMatching(new RegExp(`^GET /charges\\?search=${UUID}$`))],
    found: UNKNOWN,
    refusals: [
      [
        'the key is refused',
        {
          api: {
            status: 401,
            body: { type: 'authentication_error', details: [{ code: 'conekta.errors.authentication.missing_key' }] },
          },
        },
        refused(401, 'find-charges'),
      ],
    ],
  },
  {
    connector: 'paypalConnector',
    from: '@railyard/connector-wallet',
    id: 'paypal',
    method: 'redirect',
    settings: (base_url) => ({
      base_url,
      client_id: 'the-client',
      client_secret: 'the-secret-of-the-app',
      webhook_id: 'WH-1',
    }),
    credentials: ['client_id', 'client_secret', 'webhook_id'],
    secrets: ['the-secret-of-the-app'],
    tokenAt: '/v1/oauth2/token',
    answers: {
      token,
      api: { status: 404, body: { name: 'RESOURCE_NOT_FOUND', details: [{ issue: 'INVALID_RESOURCE_ID' }] } },
    },
    asked: ['POST /v1/oauth2/token', 'GET /v2/checkout/orders/RAILYARDDOCTOR'],
    found: WORKS,
    refusals: [['the app is refused', { token: noClient }, refused(401, 'token')]],
  },
  {
    connector: 'bcbConnector',
    from: '@railyard/connector-pix',
    id: 'pix-bcb',
    method: 'pix-charge',
    settings: (url) => ({
      base_url: url,
      oauth_url: url,
      client_id: 'the-client',
      client_secret: 'secret-of-the-client',
      chave: 'loja@example.com',
    }),
    credentials: ['client_secret', 'chave'],
    secrets: ['secret-of-the-client'],
    tokenAt: '/token',
    answers: {
      token,
      api: { status: 404, body: { type: 'https://pix.bcb.gov.br/api/v2/error/NaoEncontrado', title: 'x' } },
    },
    asked: ['POST /token', expect.stringMatching(/^GET \/cob\/[0-9a-f]{32}$/)],
    found: UNKNOWN,
    refusals: [
      ['the client is refused', { token: noClient }, refused(401, 'authenticate')],
      ['the token is refused', { api: { status: 401, body: {} } }, refused(401, 'get-cob')],
      ['the client has no right to charges', { api: { status: 403, body: {} } }, refused(403, 'get-cob')],
    ],
  },
  {
    connector: 'obUkConnector',
    from: '@railyard/connector-open-banking',
    id: 'ob-uk',
    method: 'open-banking',
    settings: (url) => ({
      base_url: `${url}/pisp`,
      authorization_url: `${url}/authorize`,
      oauth_url: `${url}/as/token`,
      jwks_uri: `${url}/as/jwks`,
      issuer: 'https://bank.example',
      client_id: 'the-client',
      signing_key,
      kid: 'the-key-id',
      signature_issuer: '0015800001041RHAAY/the-software',
    }),
    credentials: ['client_id', 'signing_key', 'kid'],
    secrets: [signing_key, 'a-token'],
    tokenAt: '/as/token',
    others: ['/as/jwks'],
    answers: {
      token,
      api: { status: 400, body: { Errors: [{ ErrorCode: 'U011', Message: 'The consent is not known.' }] } },
    },
    asked: ['GET /as/jwks', 'POST /as/token', 'GET /pisp/domestic-payment-consents/railyard-doctor'],
    found: WORKS,
    namesAddress: true,
    refusals: [
      ['the client is refused', { token: noClient }, refused(401, 'authenticate')],
      ['the token is refused', { api: { status: 401 } }, refused(401, 'get-consent')],
      ['the client has no right to payments', { api: { status: 403 } }, refused(403, 'get-consent')],
      [
        'another address than that of the API answers',
        { api: { status: 404, body: {} } },
        /^failed: .*Check the address/,
      ],
    ],
  },
];

describe.each(ACCOUNTS)('railyard doctor with an account of $id', (account) => {
  let provider: Awaited<ReturnType<typeof fakeProvider>>;
  let answers: Answers;
  let sent: URLSearchParams | undefined;
  const isToken = (url = '') => account.tokenAt !== undefined && url.startsWith(account.tokenAt);
  beforeAll(async () => {
    provider = await fakeProvider(({ url = '' }, body) => {
      if (account.others?.includes(url)) return { status: 200, body: { keys: [] } };
      if (!isToken(url) || answers.token === undefined) return answers.api;
      sent = new URLSearchParams(body);
      return answers.token;
    });
  });
  beforeEach(() => {
    answers = account.answers;
    provider.asked.length = 0;
  });
  afterAll(() => provider.close());

  const findings = (without: readonly string[] = []) =>
    doctored({
      ...account,
      settings: Object.fromEntries(
        Object.entries(account.settings(provider.url)).filter(([name]) => !without.includes(name)),
      ),
    });

  test('asks the provider, moves nothing, and names the address for notifications', async () => {
    const of = await findings();
    expect(of('provider')).toEqual([account.found]);
    expect(provider.asked).toEqual(account.asked);
    const entered = 'Enter https://pay.example/notify/own at the provider.';
    expect(of('notification').some((each) => each.includes(entered))).toBe(account.namesAddress !== true);
  });

  test('names the credentials that are missing', async () => {
    const of = await findings(account.credentials);
    expect(of('settings').map((each) => /settings\.(\w+)/.exec(each)?.[1])).toEqual(account.credentials);
  });

  test.each(account.refusals)('says that %s', async (_what, given, says) => {
    answers = { ...account.answers, ...given };
    expect((await findings())('provider')).toEqual([expect.stringMatching(says)]);
  });

  if (account.id === 'ob-uk')
    test('signs the request for a token', async () => {
      await findings();
      expect(sent?.get('grant_type')).toBe('client_credentials');
      expect(sent?.get('client_assertion')?.split('.')).toHaveLength(3);
    });
});
