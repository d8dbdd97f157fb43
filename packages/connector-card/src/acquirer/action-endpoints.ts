import { providerApi, jsonNumber, minorUnits, type Money } from '@railyard/core';
import { actionOnPayment, problem } from './replies.ts';
import { actionExample, notAllowedExample, source, visible } from './samples.ts';
import { settings } from './settings.ts';

const { endpoint } = providerApi(settings, { source: 'https://docs.example-provider.test/api' });

export interface ActionInput {
  /** The acquirer's id of the payment. */
  readonly payment: string;
  /** Ours for the action. */
  readonly reference: string;
  /** Nothing: all of it. */
  readonly amount?: Money;
}

const modifying = (name: string, path: string) =>
  endpoint({
    name,
    method: 'POST',
    path,
    repeat: 'keyed',
    request: ({ payment, reference, amount }: ActionInput, { settings, key }) => ({
      params: { id: payment },
      headers: { 'x-api-key': settings.api_key, 'idempotency-key': key },
      json: {
        reference,
        ...(amount && { amount: jsonNumber(amount, minorUnits), currency: amount.currency }),
      },
    }),
    replies: {
      done: { status: 201, body: actionOnPayment },
      declined: { status: 402, body: actionOnPayment },
      refused: { status: [400, 404, 409, 422], body: problem },
    },
    examples: [
      { is: 'done', status: 201, body: actionExample, source },
      { is: 'declined', status: 402, body: { ...actionExample, status: 'DECLINED', response_code: '05' }, source },
      { is: 'refused', status: 409, body: notAllowedExample, source },
    ],
    visible,
  });

export const capturePayment = modifying('capture-payment', '/v1/payments/{id}/captures');
export const voidPayment = modifying('void-payment', '/v1/payments/{id}/voids');
export const reverseAuthorization = modifying('reverse-authorization', '/v1/payments/{id}/reversals');
export const refundPayment = modifying('refund-payment', '/v1/payments/{id}/refunds');
