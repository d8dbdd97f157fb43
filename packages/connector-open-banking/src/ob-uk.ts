import {
  amountOf,
  call,
  declined,
  defineConnector,
  type LookedUpPayment,
  notFound,
  ofThisPayment,
  type Outcome,
  type Steps,
  visit,
  withReason,
} from '@railyard/core';
import { compactId } from '@railyard/core/formats';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { reasons } from './iso-20022.ts';
import { openBanking } from './methods.ts';
import * as obUk from './ob-uk-endpoints.ts';

const { api, settings, statuses } = obUk;

// Meaning of replies.

type OwnPayment = Pick<LookedUpPayment, 'merchantReference' | 'providerReference'>;

/** A payment is known by its consent, of which one payment can be made; its own id is kept beside it. */
function outcomeOf(said: obUk.Reported, { merchantReference, providerReference }: OwnPayment): Outcome {
  const { ConsentId, DomesticPaymentId, Status, StatusReason, Initiation } = said;
  const outcome = statuses.read({
    word: Status,
    providerReference: ConsentId,
    amount: amountOf(Initiation.InstructedAmount),
    code: StatusReason?.[0]?.StatusReasonCode,
    connectorState: { DomesticPaymentId },
  });
  const ours = { merchantReference: compactId(merchantReference), providerReference };
  return ofThisPayment(outcome, ours, Initiation.EndToEndIdentification);
}

function refusal({ Errors: [{ ErrorCode: code }] }: z.output<typeof obUk.problem>): Outcome {
  return withReason(declined('hard', 'declined_by_provider', { provider: { code } }), reasons, code);
}

/** Only the merchant's side makes a payment of a consent, so one that is not gone on with moves no money. */
function notAuthorised(error: string | undefined): Outcome {
  return declined('soft', error === 'access_denied' ? 'cancelled_by_payer' : 'not_completed', {
    ...(error !== undefined && { provider: { code: error } }),
  });
}

// The connector.

const broughtBack = z
  .object({ code: z.string().min(1).optional(), error: z.string().max(64).optional() })
  .refine(({ code, error }) => code !== undefined || error !== undefined);

/** The way to the bank, by a request object of FAPI 1.0 Advanced. Until the payment is made no money moves. */
const authorisation = ({ settings, urls }: obUk.Purchase, consent: string) =>
  visit({
    url: settings.authorization_url,
    fields: {
      response_type: 'code',
      client_id: settings.client_id,
      redirect_uri: settings.redirect_uri ?? urls.return,
      scope: 'openid payments',
      state: urls.return,
    },
    requestObject: {
      algorithm: 'PS256',
      key: settings.signing_key,
      keyId: settings.kid,
      claims: {
        iss: settings.client_id,
        aud: settings.issuer,
        claims: { id_token: { openbanking_intent_id: { value: consent, essential: true } } },
      },
    },
    reference: consent,
    until: broughtBack,
  });

function* purchase(context: obUk.Purchase): Steps<Outcome> {
  const { payment, settings, urls } = context;
  const Initiation = obUk.initiationOf(context);
  if (Initiation === undefined)
    return declined('hard', 'payee_not_valid', { reason: 'Name the payee by SORT_CODE and ACCOUNT_NUMBER, or IBAN.' });
  const agreed = yield* call(obUk.createConsent, Initiation);
  if (agreed.reply === 'refused') return refusal(agreed.body);
  const outcome = outcomeOf(agreed.body.Data, payment);
  if (outcome.status !== 'pending') return outcome;
  const { ConsentId } = agreed.body.Data;
  const { code, error } = yield* authorisation(context, ConsentId);
  if (code === undefined) return notAuthorised(error);
  const answer = yield* call(obUk.exchangeCode, { code, redirectUri: settings.redirect_uri ?? urls.return });
  if (answer.reply === 'refused') return notAuthorised(answer.body.error);
  const made = yield* call(obUk.createPayment, { token: answer.body.access_token, ConsentId, Initiation });
  return made.reply === 'refused'
    ? refusal(made.body)
    : outcomeOf(made.body.Data, { ...payment, providerReference: ConsentId });
}

/** Without the consent's id there is nothing to ask for: the payer was not sent anywhere, and no payment was made. */
function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { providerReference: consent, connectorState } = payment;
  if (consent === undefined) return notFound();
  const { DomesticPaymentId: id } = connectorState;
  const answer = id === undefined ? yield* call(obUk.getConsent, consent) : yield* call(obUk.getPayment, id);
  if (answer.reply === 'found') return outcomeOf(answer.body.Data, payment);
  return notFound({ code: answer.body.Errors[0].ErrorCode });
}

/** Any bank with Open Banking UK's payment initiation: checked against the official description, not yet against a live API. */
export const obUkConnector = defineConnector({
  id: 'ob-uk',
  contract: 1,
  version: manifest.version,
  title: 'Open Banking UK, payment initiation',
  settings,
  endpoints: api.endpoints,
  statuses,
  serves: (serve) => [serve(openBanking, { purchase, status })],
  /** Asks for a token, and with it for a consent that was never made: client, key and certificate are right where both are answered. */
  *check() {
    yield* call(obUk.getConsent, 'railyard-doctor');
    return { works: true };
  },
});
