import { checkConformance } from '@railyard/conformance';
import { reduceDescription } from '@railyard/conformance/official';
import {
  call,
  decimal,
  defineConnector,
  defineMethod,
  type Endpoint,
  fromDecimal,
  notFound,
  ofThisPayment,
  type Outcome,
  refusedBy,
} from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { loadImported, SETTINGS } from './support/imported-connector.ts';
import { imported, removeImported } from './support/imported.ts';

afterAll(removeImported);

/** A form that an API may have, and the decision of a person that goes with it. */
interface ApiShape {
  readonly name: string;
  readonly scheme: object;
  readonly contentType: 'application/json' | 'application/x-www-form-urlencoded';
  readonly keyed: boolean;
  readonly repeat: string;
}

const FOUND = `'by-reference',
  find: {
    endpoint: getPayment,
    input: ({ reference }: { readonly reference: string }) => reference,
    read: (answer) => (answer.reply === 'found' ? { found: { reply: 'created', body: answer.body } } : 'absent'),
  }`;

const SHAPES: readonly ApiShape[] = [
  {
    name: 'JSON, a key in a header, repeated under an idempotency key',
    scheme: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
    contentType: 'application/json',
    keyed: true,
    repeat: "'keyed'",
  },
  {
    name: 'a form, HTTP Basic, found by its reference',
    scheme: { type: 'http', scheme: 'basic' },
    contentType: 'application/x-www-form-urlencoded',
    keyed: false,
    repeat: FOUND,
  },
  {
    name: 'JSON, a token of OAuth, sent once',
    scheme: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/token', scopes: {} } } },
    contentType: 'application/json',
    keyed: false,
    repeat: "'once'",
  },
];

const RULES: Readonly<Record<string, object>> = {
  status: { enum: ['OPEN', 'PAID', 'FAILED'] },
  amount: { pattern: String.raw`^\d+(\.\d{1,3})?$` },
  currency: { pattern: '^[A-Z]{3}$' },
};
const texts = (...names: readonly string[]) => ({
  type: 'object',
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string', ...RULES[name] }])),
});
/** Of a payment. */
const FIELDS = ['id', 'reference', 'status', 'amount', 'currency'];
const payment = texts(...FIELDS);
const answered = (schema: object) => ({ description: '', content: { 'application/json': { schema } } });
const text = { type: 'string' };

const describedAs = ({ scheme, contentType, keyed }: ApiShape) => ({
  openapi: '3.1.0',
  info: { title: 'Payments', version: '1.0' },
  servers: [{ url: 'https://api.example' }],
  security: [{ way: [] }],
  components: { securitySchemes: { way: scheme } },
  paths: {
    '/payments/{reference}': {
      get: {
        parameters: [{ name: 'reference', in: 'path', required: true, schema: text }],
        responses: { 200: answered(payment), 404: answered(texts('code')) },
      },
    },
    '/payments': {
      post: {
        parameters: keyed ? [{ name: 'Idempotency-Key', in: 'header', required: true, schema: text }] : [],
        requestBody: {
          required: true,
          content: { [contentType]: { schema: texts('reference', 'amount', 'currency') } },
        },
        responses: { 201: answered(payment), 422: answered(texts('code')) },
      },
    },
  },
});

interface Payment {
  readonly id: string;
  readonly reference: string;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
}
type Problem = { readonly reply: 'refused' | 'absent'; readonly body: { readonly code: string } };
type Answered<Name extends string> = { readonly reply: Name; readonly body: Payment } | Problem;

const method = defineMethod({
  key: 'imported',
  title: 'Imported',
  operations: { purchase: { parameters: z.strictObject({}), completion: [] } },
});

/** Imports the description, decides what is open, and writes flows over the endpoints as a person would. */
async function finished(shape: ApiShape, id: string) {
  const calls = ['GET /payments/{reference}', 'POST /payments'];
  const facts = reduceDescription(describedAs(shape), { source: 'Our own description', licence: 'MIT' }, calls);
  const { endpointsFile, skeletonFiles } = await imported(
    id,
    facts,
    [...FIELDS, 'code'],
    [
      [/after a time-out/, () => shape.repeat],
      [/^which word of the provider says settled/, () => "'PAID'"],
      [/^which word of the provider says pending/, () => "'OPEN'"],
      [/^which word of the provider says declined/, () => "'FAILED'"],
      [/^what PAID says/, () => "'settled'"],
      [/^what FAILED says/, () => "{ declined: 'soft', code: 'not_completed' }"],
    ],
  );
  const { api, all, settings, statuses } = await loadImported(endpointsFile);
  const createPayment = z.custom<Endpoint<unknown, unknown, Answered<'created'>>>().parse(all['createPayment']);
  const getPayment = z.custom<Endpoint<unknown, unknown, Answered<'found'>>>().parse(all['getPayment']);
  const outcomeOf = (merchantReference: string, body: Payment): Outcome =>
    ofThisPayment(
      statuses.read({
        word: body.status,
        providerReference: body.id,
        amount: fromDecimal(body.amount, body.currency),
      }),
      { merchantReference },
      body.reference,
    );

  const simulation = await simulationOf(skeletonFiles.find((each) => each.endsWith('.simulation.ts')) ?? '', shape);
  const connector = defineConnector({
    id,
    contract: 1,
    version: '1.0.0',
    title: 'Imported',
    settings,
    endpoints: api.endpoints,
    statuses,
    serves: (serve) => [
      serve(method, {
        *purchase({ payment: { merchantReference: reference, amount } }) {
          const body = { reference, amount: decimal(amount), currency: amount.currency };
          const answer = yield* call(createPayment, body);
          return answer.reply === 'created' ? outcomeOf(reference, answer.body) : refusedBy(answer.body);
        },
        *status({ payment: { merchantReference: reference } }) {
          const answer = yield* call(getPayment, reference);
          return answer.reply === 'found' ? outcomeOf(reference, answer.body) : notFound(answer.body);
        },
      }),
    ],
  });
  return { connector, simulation };
}

/** The simulation that was written. Who knows that references are unique at the provider adds that they are its keys. */
async function simulationOf(file: string, { keyed }: ApiShape): Promise<Simulation> {
  const loaded: unknown = await import(pathToFileURL(file).href);
  const { simulation } = z.object({ simulation: z.custom<Simulation>() }).parse(loaded);
  const { 'create-payment': charge, ...endpoints } = simulation.endpoints;
  if (charge === undefined) throw new Error('The simulation has no charge.');
  const request = { ...charge.request, ...(!keyed && { key: 'body.reference' }) };
  return { ...simulation, endpoints: { ...endpoints, 'create-payment': { ...charge, request } } };
}

test.each(SHAPES)('what is written for $name passes the kit once it is decided', async (shape) => {
  const { connector, simulation } = await finished(shape, `imported-${SHAPES.indexOf(shape)}`);
  // Those that this connector has, and no others.
  const settings = { ...Object(connector.settings.parse(SETTINGS)) };
  const { level, results } = await checkConformance(connector, { simulation, settings });
  expect(results.filter((each) => each.status === 'failed' && each.level === 'required')).toEqual([]);
  expect(level).toBe('required');
});
