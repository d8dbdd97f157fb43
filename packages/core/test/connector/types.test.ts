import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import {
  call,
  collect,
  credential,
  defineConnector,
  defineMethod,
  field,
  type Money,
  type Outcome,
  type PaymentCard,
  type PaymentInput,
  pending,
  type StatusReport,
  type Steps,
  visit,
} from '../../src/index.ts';
import type { SpecOf } from '../../src/connector/payment-input.ts';
import { createCharge, declaration, endpoint, getCharge, method } from './support.ts';

// The compiler checks these; running them shows that what compiles also holds together.

type Of<O extends keyof typeof method.operations> = PaymentInput<SpecOf<typeof method, O>>;

function* done(): Steps<Outcome> {
  yield* call(getCharge, 'c-1');
  return pending('c-1');
}

describe('a flow knows', () => {
  test('the parameters of its own operation', () => {
    expectTypeOf<Of<'purchase'>['parameters']>().toEqualTypeOf<{ store: 'north' | 'south' }>();
    expectTypeOf<Of<'credit'>['parameters']>().toEqualTypeOf<{ account?: string | undefined }>();
    const connector = defineConnector({
      ...declaration,
      serves: (serve) => [
        serve(method, {
          *purchase({ payment, settings, now, urls }) {
            expectTypeOf(payment.parameters.store).toEqualTypeOf<'north' | 'south'>();
            expectTypeOf(payment.variant).toEqualTypeOf<undefined>();
            expectTypeOf(payment.amount).toEqualTypeOf<Money>();
            expectTypeOf(settings.api_key).toEqualTypeOf<string>();
            expectTypeOf([now, urls.notify, urls.return]).toEqualTypeOf<string[]>();
            // @ts-expect-error -- the method has no such parameter
            void payment.parameters.shop;
            return yield* done();
          },
          *credit({ payment }) {
            expectTypeOf(payment.parameters.account).toEqualTypeOf<string | undefined>();
            return yield* done();
          },
        }),
      ],
    });
    expect(Object.keys(connector.serves[0]?.flows ?? {})).toEqual(['purchase', 'credit']);
  });

  test('the parameters of each variant once it has looked at the variant', () => {
    const read = (payment: Of<'debit'>): string =>
      payment.variant === 'BR' ? payment.parameters.cpf : payment.parameters.curp;
    expectTypeOf<Of<'debit'>['variant']>().toEqualTypeOf<'BR' | 'MX'>();
    // @ts-expect-error -- which variant it is has not been asked
    const wrong = (payment: Of<'debit'>): string => payment.parameters.cpf;
    expect([read.length, wrong.length]).toEqual([1, 1]);
  });

  test('what its operation needs of the session, as its schema gives it', () => {
    expectTypeOf<Of<'debit'>['needed']>().toEqualTypeOf<{
      readonly 'billing_address.country': 'BR' | 'MX';
      readonly 'customer.birth_date': number;
    }>();
    // @ts-expect-error -- the operation does not declare it
    expectTypeOf<Of<'debit'>['needed']>().toHaveProperty('customer.email');
  });

  test('that an amount may be open and that there is a card, only where its operation says so', () => {
    expectTypeOf<Of<'transfer'>['amount']>().toEqualTypeOf<Money | 'payer'>();
    expectTypeOf<Of<'purchase'>['amount']>().toEqualTypeOf<Money>();
    expectTypeOf<Of<'transfer'>['card']>().toEqualTypeOf<PaymentCard>();
    expectTypeOf<Of<'purchase'>['card']>().toEqualTypeOf<PaymentCard | undefined>();
  });

  test('every reply of an endpoint, distinguished by its name', () => {
    function* flow(): Steps<string | number> {
      const answer = yield* call(createCharge, { amount: '1' });
      expectTypeOf(answer.reply).toEqualTypeOf<'created' | 'refused'>();
      if (answer.reply === 'refused') {
        expectTypeOf(answer.body).toEqualTypeOf<{ code: number }>();
        return answer.body.code;
      }
      expectTypeOf(answer.body).toEqualTypeOf<{ id: string; status: string }>();
      const plain = yield* call(getCharge, answer.body.id);
      expectTypeOf(plain).toEqualTypeOf<{ id: string; status: string }>();
      return plain.status;
    }
    const steps = flow();
    steps.next();
    expect(steps.next({ reply: 'refused', body: { code: 7 } })).toEqual({ done: true, value: 7 });
  });

  test('what the payer answers', () => {
    function* flow(): Steps<string> {
      const fields = z.strictObject({ code: field(z.string(), { label: 'Code' }) });
      const once = yield* collect({ fields });
      expectTypeOf(once).toEqualTypeOf<{ code: string }>();
      const again = yield* collect({ fields, resend: true });
      // @ts-expect-error -- the payer may have asked for another code instead
      void again.values;
      const back = yield* visit({
        purpose: 'authenticate',
        url: 'https://a',
        reference: 'r',
        until: z.object({ PaRes: z.string() }),
      });
      return again.resend ? back.PaRes : again.values.code + once.code;
    }
    const steps = flow();
    steps.next();
    steps.next({ code: '1' });
    steps.next({ resend: false, values: { code: '2' } });
    expect(steps.next({ PaRes: 'x' })).toEqual({ done: true, value: '21' });
  });

  test('what is known of a payment that it acts on', () => {
    const connector = defineConnector({
      ...declaration,
      serves: (serve) => [
        serve(method, {
          refund: {
            partial: true,
            *flow({ payment, amount, remaining }) {
              expectTypeOf(payment.providerReference).toEqualTypeOf<string>();
              expectTypeOf([amount, remaining]).toEqualTypeOf<Money[]>();
              return yield* done();
            },
          },
          *status({ payment }): Steps<StatusReport> {
            expectTypeOf(payment.providerReference).toEqualTypeOf<string | undefined>();
            yield* done();
            return { events: [] };
          },
        }),
      ],
    });
    expect(connector.serves[0]?.flows.refund?.partial).toBe(true);
  });
});

describe('does not compile:', () => {
  test('an endpoint without a repeat policy', () => {
    // @ts-expect-error -- nobody could tell what a lost reply means
    const made = endpoint({ name: 'a', path: '/a', request: () => ({}), reply: z.object({}) });
    expect(made).toMatchObject({ name: 'a' });
  });

  test('an endpoint that is found by reference without saying how', () => {
    // @ts-expect-error -- by-reference needs find
    const made = endpoint({ name: 'a', path: '/a', repeat: 'by-reference', request: () => ({}), reply: z.object({}) });
    expect(made).toMatchObject({ repeat: 'by-reference' });
  });

  test('an endpoint with both one reply and several', () => {
    // @ts-expect-error -- a call would not know what to answer
    const made = endpoint({ name: 'a', path: '/', repeat: 'safe', request: () => ({}), reply: z.json(), replies: {} });
    expect(made.plain).toBe(true);
  });

  test('a call with another input than the endpoint’s', () => {
    // @ts-expect-error -- the amount is a string
    expect(call(createCharge, { amount: 1 }).next().done).toBe(false);
    // @ts-expect-error -- a credential takes no input
    expect(credential(createCharge).next().done).toBe(false);
  });

  test('a flow for an operation that the method does not have', () => {
    const small = defineMethod({
      key: 's',
      title: 'S',
      operations: { purchase: { parameters: z.strictObject({}), completion: [] } },
    });
    const declare = () =>
      defineConnector({
        ...declaration,
        // @ts-expect-error -- the method has no credit
        serves: (serve) => [serve(small, { credit: done })],
      });
    expect(declare).toThrow('Connector c has a flow "credit", but the method "s" has no such operation.');
  });

  test('a flow that ends without an outcome', () => {
    const connector = defineConnector({
      ...declaration,
      serves: (serve) => [
        serve(method, {
          // @ts-expect-error -- a text is no outcome
          *purchase() {
            yield* done();
            return 'paid';
          },
        }),
      ],
    });
    expect(connector.id).toBe('c');
  });

  test('a method with an operation, a completion or a rule that the contract does not know', () => {
    const parameters = z.strictObject({});
    // @ts-expect-error -- no such operation
    defineMethod({ key: 'm', title: 'M', operations: { sale: { parameters, completion: [] } } });
    // @ts-expect-error -- no such completion
    defineMethod({ key: 'm', title: 'M', operations: { purchase: { parameters, completion: ['popup'] } } });
    const rule = { paths: [], level: 'hint', says: '', check: () => undefined };
    // @ts-expect-error -- no such level
    defineMethod({ key: 'm', title: 'M', operations: { purchase: { parameters, completion: [], rules: [rule] } } });
    expect(rule.level).toBe('hint');
  });
});
