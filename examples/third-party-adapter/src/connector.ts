import { pix } from '@railyard/connector-pix/methods';
import {
  call,
  decimal,
  declined,
  defineConnector,
  fromDecimal,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  qr,
  timestampedHmac,
  unknown,
} from '@railyard/core';
import { z } from 'zod';
import {
  createCode,
  createReturn,
  findCode,
  findReturn,
  settings,
  source,
  statuses,
  type Told,
  told,
} from './endpoints.ts';

/** The outcome of the provider's reply; unknown where the reply is about another payment. */
function outcomeOf({ id, our_id, state, total, code }: Told, asked = our_id): Outcome {
  const show = code === undefined ? {} : { show: qr({ content: code }) };
  const outcome = statuses.read({ word: state, providerReference: id, amount: fromDecimal(total, 'BRL'), ...show });
  return ofThisPayment(outcome, [{ asked, said: our_id }]);
}

const notifications = notificationsFor(settings)({
  verify: timestampedHmac(({ webhook_secret }: z.output<typeof settings>) => webhook_secret),
  codec: 'json',
  body: z.object({ event: z.string(), code: told }),
  events: ({ event, code }) => [
    {
      id: event,
      kind: 'payment',
      providerReference: code.id,
      merchantReference: code.our_id,
      outcome: outcomeOf(code),
    },
  ],
  examples: [
    {
      body: { event: 'e-1', code: { id: 'c-1', our_id: 'a-1', state: 'paid', total: '10.00' } },
      source,
    },
  ],
});

/** The method, its parameters, limits and messages are those of `@railyard/connector-pix`; only the provider is another one. */
export const acmePixConnector = defineConnector({
  id: 'acme-pix',
  contract: 1,
  version: '1.0.0',
  title: 'Acme Pix',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: [createCode, findCode, createReturn, findReturn],
  statuses,
  notifications,
  serves: (serve) => [
    serve(pix, {
      *purchase({ payment, urls }) {
        const { debtor_document } = payment.parameters;
        const answer = yield* call(createCode, {
          our_id: payment.merchantReference,
          total: decimal(payment.amount),
          currency: payment.order.currency,
          ...(debtor_document !== undefined && { payer_document: debtor_document }),
          hook: urls.notify,
        });
        if (answer.reply === 'refused') return declined('hard', 'declined_by_provider');
        return outcomeOf(answer.body, payment.merchantReference);
      },

      *status({ payment: { merchantReference: reference } }) {
        const answer = yield* call(findCode, reference);
        return answer.reply === 'found' ? outcomeOf(answer.body, reference) : unknown('The provider does not know it.');
      },

      refund: {
        partial: true,
        *flow({ payment, id, amount }) {
          const asked = { code: payment.providerReference, our_id: id, total: decimal(amount) };
          const answer = yield* call(createReturn, asked);
          if (answer.reply === 'refused')
            return declined('hard', 'declined_by_provider', { reason: 'The provider refused the refund.' });
          return outcomeOf(answer.body, id);
        },
      },

      *modificationStatus({ modification: { id } }) {
        const answer = yield* call(findReturn, id);
        return answer.reply === 'found' ? outcomeOf(answer.body, id) : unknown('The provider does not know it.');
      },
    }),
  ],
});
