import { generateKeyPairSync } from 'node:crypto';
import type { FlowName } from '@railyard/runtime';
import { obUkConnector as connector } from '../../src/index.ts';
import { sampleConsent, sampleKeys, samplePayment } from '../../src/ob-uk.samples.ts';
import { obUkSimulation } from '../../src/simulation.ts';
import { exchange, lookedUp, NOW, paymentOf, type Script } from './exchange.ts';
import { paymentTo } from './sessions.ts';

export const CONSENT = sampleConsent.Data.ConsentId;
export const PAYMENT = samplePayment.Data.DomesticPaymentId;

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const SIGNER = publicKey;

/** An account of a bank that takes a signed assertion at its token endpoint. */
export const settings = {
  authorization_url: 'https://bank.example/authorize?brand=north',
  oauth_url: 'https://auth.example/as/token.oauth2',
  jwks_uri: 'https://keys.example/jwks/the-bank',
  issuer: 'https://auth.example',
  client_id: 'the-client',
  signing_key: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
  kid: 'the-key-id',
  signature_issuer: '0015800001041RHAAY/the-software',
};

export const token = [200, { access_token: 'a-token', expires_in: 3600 }] as const;
export const payersToken = [200, { access_token: 'the-payers-token', expires_in: 300 }] as const;
export const consented = [token, [201, sampleConsent], [200, sampleKeys]] as const;

type Values = Readonly<Record<string, string>>;

interface Bought {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly more?: object;
  /** The values that the bank signs. */
  readonly values?: Values;
  /** A change of what the payer brings. */
  readonly change?: (brought: Values) => Values;
  readonly over?: object;
}

const made = (flow: FlowName, payment: object, over: object = {}) => ({
  connector,
  key: 'open-banking',
  settings: { ...settings, ...over },
  flow,
  payment,
});

/** The bank's answer to the request object of a visit. */
const signedBy = (fields: Values, values: Values) =>
  obUkSimulation.page.signed(values, { query: fields, now: Date.parse(NOW) });

/** A payment until the payer is at the bank, and on with what they bring back. */
export async function buy(
  script: Script,
  { parameters, more, values = { code: 'a-code' }, change = (brought) => brought, over }: Bought = {},
) {
  const run = exchange(made('purchase', paymentOf(paymentTo(parameters, more), 'open-banking'), over), script);
  const before = await run.drive();
  const isAway = before.kind === 'suspended' && before.nextAction.kind === 'visit';
  const brought = isAway ? change(signedBy(before.nextAction.fields, values)) : {};
  const after = isAway ? await run.drive({ step: 'visit', values: brought }) : before;
  return { before, after, asked: run.asked, left: run.left };
}

/** A lookup of a payment with its consent, unless its reply was lost. */
export async function lookUp(
  script: Script,
  { isLost = false, state = {} }: { isLost?: boolean; state?: object } = {},
) {
  const known = lookedUp(paymentTo(), 'open-banking', isLost ? undefined : CONSENT);
  const run = exchange(made('status', { ...known, connectorState: state }), script);
  return { after: await run.drive(), asked: run.asked };
}
