// Writes the facts of the package stripe, from its types: names, required fields, enumerations. Usage: node tools/openapi/stripe-facts.ts
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { root } from '../../test/support/workspace.ts';

const home = join(root, 'packages/connector-card');
const types = dirname(createRequire(join(home, 'package.json')).resolve('stripe'));
const manifest: unknown = JSON.parse(readFileSync(join(types, '../package.json'), 'utf8'));
const { version } = Object(manifest);
const program = ts.createProgram([join(types, 'stripe.cjs.node.d.ts')], {
  strict: true,
  skipLibCheck: true,
  types: [],
});
const checker = program.getTypeChecker();

/** A form is text alone: its numbers and booleans too. */
type Writing = 'form' | 'json';
type Schema = Readonly<Record<string, unknown>>;

const NUMBER: Readonly<Record<Writing, Schema>> = {
  form: { type: 'string', pattern: String.raw`^-?\d+(\.\d+)?$` },
  json: { type: 'number' },
};

/** @param deep places whose objects are written with their fields; others may be anything */
function schemaOf(type: ts.Type, writing: Writing, deep: readonly string[], at = ''): Schema {
  const members = type.isUnion() ? type.types : [type];
  const has = (flag: ts.TypeFlags) => members.some((each) => (each.flags & flag) !== 0);
  const literals = members.flatMap((each) => (each.isStringLiteral() && each.value !== '' ? [each.value] : []));
  // `OtherString` keeps an enumeration open for later versions; the facts are those of this one.
  const strings = literals.length > 0 ? [{ enum: literals }] : has(ts.TypeFlags.String) ? [{ type: 'string' }] : [];
  // What can be expanded is its id unless asked for.
  const objects = strings.length > 0 ? [] : members.filter((each) => (each.flags & ts.TypeFlags.Object) !== 0);
  const all = [
    ...strings,
    ...(has(ts.TypeFlags.Number) ? [NUMBER[writing]] : []),
    ...(has(ts.TypeFlags.BooleanLike) ? [writing === 'form' ? { enum: ['true', 'false'] } : { type: 'boolean' }] : []),
    ...(has(ts.TypeFlags.Null) && writing === 'json' ? [{ type: 'null' }] : []),
    ...objects.map((each) => objectOf(each, writing, deep, at)),
  ];
  return all.length === 1 ? Object(all[0]) : all.length === 0 ? {} : { anyOf: all };
}

function objectOf(type: ts.Type, writing: Writing, deep: readonly string[], at: string): Schema {
  if (checker.isArrayType(type)) {
    const [each] = checker.getTypeArguments(type as ts.TypeReference);
    return { type: 'array', ...(each && { items: schemaOf(each, writing, deep, at) }) };
  }
  const named = type.getStringIndexType();
  if (named) return { type: 'object', additionalProperties: schemaOf(named, writing, deep, at) };
  if (at !== '' && !deep.includes(at)) return { type: 'object' };
  const fields = type.getProperties();
  const properties = fields.map((field) => {
    const place = at === '' ? field.name : `${at}.${field.name}`;
    return [field.name, schemaOf(checker.getTypeOfSymbol(field), writing, deep, place)] as const;
  });
  const required = fields.filter(({ flags }) => (flags & ts.SymbolFlags.Optional) === 0).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

/** @param place `file.Type` */
function typeOf(place: string): ts.Type {
  const [file = '', name = ''] = place.split('.');
  const source = program.getSourceFile(join(types, `${file}.d.ts`));
  const module = source && checker.getSymbolAtLocation(source);
  const found = module && checker.getExportsOfModule(module).find((each) => each.name === name);
  if (found === undefined) throw new Error(`The package has no type ${place}.`);
  return checker.getDeclaredTypeOfSymbol(found);
}

const DEEP = [
  'card',
  'billing_details',
  'billing_details.address',
  'payment_method_options',
  'payment_method_options.card',
  'payment_method_options.card.three_d_secure',
].concat(['last_payment_error', 'next_action', 'next_action.redirect_to_url']);
const form = (place: string) => schemaOf(typeOf(place), 'form', DEEP);
const json = (place: string) => schemaOf(typeOf(place), 'json', DEEP);
const ref = (name: string) => ({ $ref: `#/schemas/${name}` });

const KEY = { name: 'idempotency-key', in: 'header', required: true, schema: { type: 'string', maxLength: 255 } };
const HEADERS = ['authorization', 'stripe-version'].map((name) => ({
  name,
  in: 'header',
  required: true,
  schema: { type: 'string' },
}));
const replies = (body: Schema) => ({ 200: { headers: [], body }, default: { headers: [], body: ref('Error') } });

const posting = (params: string, reply: string, at: string) => ({
  parameters: [
    ...HEADERS,
    KEY,
    ...[...at.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
  ],
  request: { contentType: 'application/x-www-form-urlencoded', required: true, schema: form(params) },
  replies: replies(ref(reply)),
});

function getting(params: string | undefined, body: Schema) {
  const fields = params === undefined ? {} : Object(form(params));
  const query = Object.entries<unknown>(Object(fields.properties)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: Array.isArray(fields.required) && fields.required.includes(name),
    schema,
  }));
  return { parameters: [...HEADERS, ...query], replies: replies(body) };
}

/** A list of the objects that are named. */
function listOf(place: string, name: string): Schema {
  const list = Object(json(place));
  return { ...list, properties: { ...list.properties, data: { type: 'array', items: ref(name) } } };
}

const RESOURCES = 'resources/';
const events = typeOf(`${RESOURCES}Events.Event`);
const eventTypes = (events.isUnion() ? events.types : []).map((each) => {
  const field = each.getProperty('type');
  const type = field && checker.getTypeOfSymbol(field);
  return type?.isStringLiteral() ? type.value : '';
});
const notified = (name: string) => ({
  parameters: [],
  request: { contentType: 'application/json', required: true, schema: ref(name) },
  replies: {},
});

/** Of a charge that was asked for with its refunds, the fields that say what went back. */
const whole = Object(json(`${RESOURCES}Charges.Charge`).properties);
const charge = {
  id: whole.id,
  object: whole.object,
  disputed: whole.disputed,
  refunds: listOf('lib.ApiList', 'Refund'),
};
const intent = Object(json(`${RESOURCES}PaymentIntents.PaymentIntent`));
const latest_charge = {
  anyOf: [
    ...intent.properties.latest_charge.anyOf,
    { type: 'object', properties: charge, required: Object.keys(charge) },
  ],
};

const facts = {
  source: 'npm package stripe, its types',
  version: String(version),
  licence: 'MIT',
  corrections: [],
  operations: {
    'POST /v1/payment_methods': posting(`${RESOURCES}PaymentMethods.PaymentMethodCreateParams`, 'PaymentMethod', ''),
    'POST /v1/customers': posting(`${RESOURCES}Customers.CustomerCreateParams`, 'Customer', ''),
    'POST /v1/payment_intents': posting(`${RESOURCES}PaymentIntents.PaymentIntentCreateParams`, 'PaymentIntent', ''),
    'POST /v1/payment_intents/{intent}/capture': posting(
      `${RESOURCES}PaymentIntents.PaymentIntentCaptureParams`,
      'PaymentIntent',
      '{intent}',
    ),
    'POST /v1/payment_intents/{intent}/cancel': posting(
      `${RESOURCES}PaymentIntents.PaymentIntentCancelParams`,
      'PaymentIntent',
      '{intent}',
    ),
    'POST /v1/refunds': posting(`${RESOURCES}Refunds.RefundCreateParams`, 'Refund', ''),
    'GET /v1/payment_intents/search': getting(
      `${RESOURCES}PaymentIntents.PaymentIntentSearchParams`,
      listOf('lib.ApiSearchResult', 'PaymentIntent'),
    ),
    'GET /v1/payment_intents/{intent}': getting(undefined, ref('PaymentIntent')),
    'GET /v1/refunds': getting(`${RESOURCES}Refunds.RefundListParams`, listOf('lib.ApiList', 'Refund')),
    'GET /v1/disputes': getting(`${RESOURCES}Disputes.DisputeListParams`, listOf('lib.ApiList', 'Dispute')),
    'GET /v1/refunds/{refund}': getting(undefined, ref('Refund')),
    'GET /v1/balance': getting(undefined, ref('Balance')),
    'POST payment_intent': notified('PaymentIntent'),
    'POST refund': notified('Refund'),
    'POST dispute': notified('Dispute'),
    'POST type': {
      parameters: [],
      request: { contentType: 'application/json', required: true, schema: { enum: eventTypes } },
      replies: {},
    },
  },
  schemas: {
    PaymentMethod: json(`${RESOURCES}PaymentMethods.PaymentMethod`),
    Customer: json(`${RESOURCES}Customers.Customer`),
    PaymentIntent: { ...intent, properties: { ...intent.properties, latest_charge } },
    Refund: json(`${RESOURCES}Refunds.Refund`),
    Dispute: json(`${RESOURCES}Disputes.Dispute`),
    Balance: json(`${RESOURCES}Balance.Balance`),
    Error: { type: 'object', properties: { error: json('Types.StripeRawError') }, required: ['error'] },
  },
};

const path = join(home, 'test/official/stripe.json');
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, `${JSON.stringify(facts, null, 1)}\n`);
