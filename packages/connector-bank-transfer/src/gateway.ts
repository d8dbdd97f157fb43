/** Models the style of a gateway to banks' pages, and no provider: its whole API is invented (README). */
import {
  call,
  collect,
  declined,
  defineConnector,
  field,
  type FlowContext,
  getOrFind,
  type LookedUpPayment,
  notificationsFor,
  type Outcome,
  type Steps,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import {
  api,
  factsOf,
  findTransfer,
  getTransfer,
  listBanks,
  openAccount,
  openByCountry,
  openCode,
  openPrompt,
  openTransfer,
  outcomeOf,
  type Purchase,
  type PurchaseByCountry,
  reported,
  settings,
  type Settings,
  SOURCE,
  statuses,
} from './gateway-endpoints.ts';
import { purchaseInSteps } from './gateway-steps.ts';
import { sampleNotification } from './gateway.samples.ts';
import { bankBeneficiary } from './methods/beneficiary.ts';
import { bankRedirect } from './methods/by-country.ts';
import { bankDeposit } from './methods/deposit.ts';
import * as methods from './methods/gateway.ts';

const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-transfer-signature',
    key: ({ signing_secret }: Settings) => signing_secret,
  },
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  body: withAmount(z.object({ event: z.string().min(1), ...reported() })),
  events: ({ event, ...body }) => statuses.events(event, body.our_id, factsOf(body)),
  examples: [{ body: sampleNotification, source: SOURCE }],
});

// The connector.

function* status({ payment }: FlowContext<Settings> & { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const answer = yield* getOrFind(payment, { get: getTransfer, find: findTransfer });
  return answer.reply === 'absent' ? api.notFound(answer.body) : outcomeOf(answer.body, payment);
}

const choice = z.strictObject({
  bank: field(z.string(), { label: { en: 'Your bank', pt: 'Seu banco' }, input: 'select' }),
});

type Opened = typeof openTransfer | typeof openCode | typeof openPrompt | typeof openAccount;

/**
 * @param way the gateway’s name of the method, which is ours
 * @param endpoint what its reply shows the payer
 */
const flowsOf = (way: string, endpoint: Opened = openTransfer) => ({
  *purchase({ payment, urls }: Purchase): Steps<Outcome> {
    const { merchantReference } = payment;
    return yield* api.outcome(endpoint, { way, payment, payer: payment.parameters, urls }, ({ body }) =>
      outcomeOf(body, { merchantReference }),
    );
  },

  status,
});

/** The bank that the payer chooses from the gateway’s list, or nothing where it lists none. */
function* chosenBank(country: string): Steps<string | undefined> {
  const { banks } = yield* call(listBanks, country);
  if (banks.length === 0) return undefined;
  const options = { bank: banks.map(({ code: value, name: label }) => ({ value, label })) };
  return (yield* collect({ step: 'bank', fields: choice, options, mayTurnBack: true })).bank;
}

/** Mexico has no choice of banks. */
function* purchaseByCountry({ payment, urls }: PurchaseByCountry): Steps<Outcome> {
  const { merchantReference, parameters, variant: country } = payment;
  const needsBank = country !== 'MX';
  const bank = needsBank ? (parameters.bank ?? (yield* chosenBank(country))) : undefined;
  if (needsBank && bank === undefined)
    return declined('soft', 'provider_unavailable', { reason: 'No bank of the country takes payments now.' });
  const input = { way: 'bank-redirect', country, payment, payer: { ...parameters, bank }, urls };
  return yield* api.outcome(openByCountry, input, ({ body }) => outcomeOf(body, { merchantReference }));
}

/** Transfers that the payer makes on a page of the bank, in its app or by a code, in AR, CL, CO, MX, PE, TH, TR and from any account with a SWIFT code; deposits to an account that is shown; and transfers that the payer orders step by step. */
export const bankGatewayConnector = defineConnector({
  id: 'bank-gateway',
  contract: 1,
  version: manifest.version,
  title: 'Bank transfers, gateway to banks',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(methods.bankAr, flowsOf('bank-ar')),
    serve(methods.bankMx, flowsOf('bank-mx')),
    serve(methods.bankCodeTr, flowsOf('bank-code-tr')),
    serve(methods.walletTr, flowsOf('wallet-tr')),
    serve(methods.walletTh, flowsOf('wallet-th')),
    serve(methods.qrTh, flowsOf('qr-th', openCode)),
    serve(methods.ibanTr, flowsOf('iban-tr')),
    serve(methods.bankAccount, flowsOf('bank-account', openPrompt)),
    serve(bankDeposit, flowsOf('bank-deposit', openAccount)),
    serve(bankBeneficiary, { purchase: purchaseInSteps, status }),
    serve(bankRedirect, { purchase: purchaseByCountry, status }),
  ],
});
