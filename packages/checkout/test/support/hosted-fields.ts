import * as z from 'zod';
import { cardBody } from './card-service.ts';
import { errorLines } from './any-method-service.ts';
import { post } from './service.ts';

/** A card that is good for everything, as it is typed into the fields. */
export const TYPED = { number: '4111 1111 1111 1111', expiry: '01 / 38', cvv: '123' };

/** The body of a payment, as a merchant's server sends it. */
export const PAYMENT = { with_hosted_fields: true, name: 'Ada Example', email: 'ada@example.com' };

/** A signed request for a token. */
export function tokenBody(
  change: Readonly<Record<string, unknown>> = {},
  order: Readonly<Record<string, string>> = {},
): Readonly<Record<string, unknown>> {
  const { success_url: _none, ...body } = cardBody(change, order);
  return { ...body, return_url: 'https://shop.example/return?a=1', ...change };
}

const answered = async (reply: Response) => {
  const text = await reply.text();
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: reply.status, json, lines: errorLines(json), headers: reply.headers };
};

/** The merchant's server, and the fields in the payer's browser. */
export function hostedFields(serviceUrl: string) {
  const json = { 'content-type': 'application/json' };
  const send = async (path: string, token: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    answered(
      await fetch(`${serviceUrl}${path}`, {
        method: 'POST',
        headers: { ...json, token, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    );
  return {
    async token(change: Readonly<Record<string, unknown>> = {}, order: Readonly<Record<string, string>> = {}) {
      const { status, json: body } = await post(`${serviceUrl}/api/v1/session/token`, tokenBody(change, order));
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      return z.strictObject({ token: z.string() }).parse(body).token;
    },
    enter: (token: string, typed: object = TYPED, headers?: Readonly<Record<string, string>>) =>
      send('/fields/card', token, typed, headers),
    described: async (token: string) => answered(await fetch(`${serviceUrl}/fields/session`, { headers: { token } })),
    pay: (token: string, body: unknown = PAYMENT, operation = 'purchase', headers?: Readonly<Record<string, string>>) =>
      send(`/api/v1/processing/${operation}/card`, token, body, headers),
  };
}
