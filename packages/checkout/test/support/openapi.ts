import { nestBrackets } from '@railyard/core';
import { requestSignatureHeaders } from '@railyard/core/merchant';
import {
  type CommandFormula,
  commandFormulas,
  commandLayouts,
  type Formula,
  formulas,
  sessionSchema,
  type ErrorBody,
  type ValidationBody,
} from '@railyard/core/protocol';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { callbackSchema, commandCallbackSchema } from '../../src/callbacks/field-schemas.ts';
import { lookupSchema, transactionSchema } from '../../src/callbacks/body.ts';
import { statusSchema } from '../../src/payments/status.ts';
import {
  acceptedSchema as acceptedCommandSchema,
  type Command,
  createdScheduleSchema,
  detailsSchema,
  scheduleInfoSchema,
  scheduleSchema,
} from '../../src/http/commands/command.ts';
import { SESSION_PATHS } from '../../src/http/commands/fields.ts';
import { APM_PATH, COMMAND_PATHS, COMMANDS } from '../../src/http/commands/routes.ts';
import { processingAnswer, processingSchema } from '../../src/http/fields/processing.ts';
import { API_CALLS } from '../../src/http/merchant-api/api-routes.ts';
import { FIELDS_OPERATIONS } from '../../src/http/merchant-api/create-token.ts';
import { type Example, EXAMPLES, PRINTED } from './openapi-examples.ts';
import { merchant, trial } from './pix-config.ts';
import { SESSION_EFFECTS } from './session-effects.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Io = 'input' | 'output';

/** A value of JSON. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const ref = (kind: 'schemas' | 'responses' | 'parameters' | 'headers', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

// Schemas

/** The meaning of a field whose schema does not say it, by its path. */
type Meanings = Readonly<Record<string, string>>;

const BLOCKS: Meanings = {
  order: 'The order.',
  customer: 'The payer.',
  billing_address: 'The address of the payer.',
  payee: 'The payee, of a credit or a transfer.',
  payee_billing_address: 'The address of the payee.',
  crypto: 'Of a crypto payment.',
  return_url: 'Where the payer goes after the payment, whatever came of it.',
  hash: 'The signature of the request. May be left out where the request headers sign.',
};

/** Limits that no JSON Schema of the session states: its checks are functions. */
const LIMITS: Meanings = {
  session_expiry: '1 to 720.',
  'order.amount':
    'With as many decimals as the currency has; required, but of a crypto payment whose amount the payer enters.',
  'order.description': '2 to 1024 characters.',
};

const ofSession: Meanings = {
  ...Object.fromEntries(
    Object.entries(SESSION_EFFECTS).map(([path, { does }]) => [path, [does, LIMITS[path] ?? []].flat().join(' ')]),
  ),
  ...BLOCKS,
};

const ofToken: Meanings = { ...ofSession, 'customer.ip': 'IP address of the payer.' };

/** Writes the meanings into the fields that have none. */
function describeFields(schema: JsonSchema, meanings: Meanings, above = ''): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (typeof field === 'boolean') continue;
    const meaning = meanings[`${above}${name}`];
    if (meaning !== undefined) field.description ??= meaning;
    describeFields(field, meanings, `${above}${name}.`);
  }
}

/** JSON Schema of a request or an answer. It is never stricter than the service. */
function schemaOf(schema: z.ZodType, io: Io, meanings: Meanings = {}): JsonSchema {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  describeFields(made, meanings);
  return made;
}

function tidy(schema: JsonSchema): void {
  // More fields may come, and a request may have others.
  if (schema.properties !== undefined) delete schema.additionalProperties;
  delete schema.readOnly;
  // A default after reading, of a field that is sent as a text.
  if (Array.isArray(schema.default) && schema.type === 'string') schema.default = schema.default.join(',');
  // The request headers may sign in its place.
  if (schema.required?.includes('hash')) schema.required = schema.required.filter((name) => name !== 'hash');
  if (schema.required?.length === 0) delete schema.required;
  // Of every whole number.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

// Errors

const hint = z.string().describe('The values that are taken, or more about the refusal.').optional();

const line = z.object({
  error_code: z.int().describe('The code of the fault.'),
  error_message: z.string().describe('`<field>: <text>`.'),
  hint,
});

const requestId = z.string().describe('The id of the request. Name it when you ask the operator.');

const validationSchema = z.object({
  http_code: z.literal(400).describe('The status.'),
  error_code: z.literal(0).describe('Always 0.'),
  error_message: z.string().describe('`Request data is invalid.`'),
  errors: z.array(line).readonly().describe('Every wrong field, up to a hundred.'),
  request_id: requestId,
}) satisfies z.ZodType<ValidationBody>;

const errorSchema = z.object({
  http_code: z.int().describe('The status.'),
  error_code: z.string().describe('The code of the refusal, or the status.'),
  error_message: z.string().describe('What happened, in words.'),
  hint,
  request_id: requestId,
}) satisfies z.ZodType<ErrorBody>;

const commandErrorSchema = z.object({
  http_code: z.int().describe('The status.'),
  result: z
    .literal('ERROR')
    .describe('The command was not carried out. Absent from 500 on: that may not be known.')
    .optional(),
  error_code: z.int().describe('The code of the refusal, or the status.'),
  error_message: z.string().describe('What happened, in words.'),
  hint,
  errors: z.array(line).readonly().describe('Every wrong field, up to a hundred.').optional(),
  request_id: requestId,
});

const RETRY_AFTER = { 'Retry-After': ref('headers', 'RetryAfter') };

/** The answers that refuse. `command`: in the form of commands. */
const refusals = (of: 'api' | 'command'): Readonly<Record<string, Json>> => {
  const error = ref('schemas', of === 'api' ? 'Error' : 'CommandError');
  const answer = (description: string, schema: Json = error, headers?: Json): Json => ({
    description,
    ...(headers && { headers }),
    content: { 'application/json': { schema } },
  });
  const refused = of === 'api' ? { anyOf: [ref('schemas', 'ValidationError'), ref('schemas', 'Error')] } : error;
  return {
    400: answer(
      'Refused, and nothing was done. `errors` lists wrong fields; without it the request cannot be carried out, or repeats an order number within 15 seconds.',
      refused,
    ),
    403: answer('The merchant, or the key that signs, may not do this.'),
    409: answer(
      'A request with this `Idempotency-Key` is being handled. Send this one again after the time in `Retry-After`.',
      error,
      RETRY_AFTER,
    ),
    413: answer('The body is larger than 256 KB.'),
    415: answer('The body is of another content type.'),
    429: answer('Too many requests. Send this one again after the time in `Retry-After`.', error, RETRY_AFTER),
    500: answer('A fault of the service. Whether the request was carried out is not known.', error),
    503: answer(
      'The service is not available. `error_message` says whether to repeat the request, `Retry-After` when.',
      error,
      RETRY_AFTER,
    ),
  };
};

const STATUS_NAMES: Readonly<Record<string, string>> = {
  400: 'Refused',
  403: 'Forbidden',
  409: 'UnderWay',
  413: 'TooLarge',
  415: 'WrongType',
  429: 'TooMany',
  500: 'Failed',
  503: 'Unavailable',
};

const named = (of: 'api' | 'command') =>
  Object.fromEntries(
    Object.entries(refusals(of)).map(([status, answer]) => [
      `${of === 'api' ? '' : 'Command'}${STATUS_NAMES[status]}`,
      answer,
    ]),
  );

const refs = (of: 'api' | 'command') =>
  Object.fromEntries(
    Object.keys(refusals(of)).map((status) => [
      status,
      ref('responses', `${of === 'api' ? '' : 'Command'}${STATUS_NAMES[status]}`),
    ]),
  );

/** The refusals of a call that heeds no `Idempotency-Key`. */
const withoutKey = ({ 409: _underWay, ...others }: ReturnType<typeof refs>) => others;

// Hashes

const isOfCommands = (formula: Formula | CommandFormula): formula is CommandFormula =>
  Object.hasOwn(commandFormulas, formula);

const code = (text: string) => `\`${text}\``;

/** A hash of an operation. `empty`: the fields of its formula that it leaves out. */
type Hash = Required<Pick<Example, 'formula' | 'empty'>>;

const hashesIn = (examples: readonly Example[]): readonly Hash[] => {
  const used = examples.flatMap(({ formula, empty }) => (formula === undefined ? [] : [{ formula, empty }]));
  return [...new Map(used.map((each) => [hashName(each), each])).values()];
};

const hashName = ({ formula, empty }: Hash): string =>
  [code(formula), ...(empty.length > 0 ? ['without', empty.map(code).join(', ')] : [])].join(' ');

/** How a hash is made, in words. @param names as the fields are called where the hash is checked */
function formulaText(hash: Hash, names: Readonly<Record<string, string>> = {}): string {
  return `${hashName(hash)}: ${code(formulaOf(hash, names))}`;
}

function formulaOf({ formula, empty }: Hash, names: Readonly<Record<string, string>>): string {
  const all: readonly string[] = isOfCommands(formula) ? commandFormulas[formula] : formulas[formula];
  const fields = all.filter((name) => !empty.includes(name)).map((name) => names[name] ?? name);
  if (!isOfCommands(formula)) return `sha1(hex(md5(uppercase(${[...fields, 'password'].join(' + ')}))))`;
  switch (commandLayouts[formula]) {
    case 'behind':
      return `md5(uppercase(reverse(${fields.join(' + ')})) + password)`;
    case 'after-email': {
      const [ids, texts] = [
        fields.filter((name) => name.endsWith('_id')),
        fields.filter((name) => !name.endsWith('_id')),
      ];
      const [email = [], card = []] = ['payer_email', 'card'].map((name) =>
        texts.includes(name) ? [`reverse(${name})`] : [],
      );
      return `md5(uppercase(${[...email, 'password', ...ids, ...card].join(' + ')}))`;
    }
    case undefined:
      return `md5(uppercase(reverse(${[...fields, 'password'].join(' + ')})))`;
  }
}

const CARD_TEXT =
  '`card` is the first six and the last four digits of the card’s number, or the card token in its place. A field that is not sent is empty: of a wallet’s payment, `card`. `payer_email` and `card` of a command that names a transaction belong to that transaction. The hashes of lookups and callbacks of a `CREDIT2CARD` leave `payer_email` out too.';

// Operations

interface Operation {
  readonly id: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
  /** The names of the schemas. */
  readonly request: string;
  readonly answer: string;
}

const TAGS = {
  Sessions: 'A payer pays on the payment page, or in hosted fields on the merchant’s own page.',
  Payments: 'What a merchant does with a payment.',
  Recurring: 'Charges of a mandate that a payer has begun.',
  Payouts: 'Money to a card.',
  Tests: 'For test payments alone.',
  Commands: 'Server-to-server commands: forms, whose field `action` says what to do.',
  Callbacks: 'What the service tells the merchant.',
} as const;

const CALLBACK_FOLLOWS = 'A callback reports the outcome.';

const OPERATIONS: Readonly<Record<string, Operation>> = {
  '/session': {
    id: 'createSession',
    tag: 'Sessions',
    summary: 'Create a session',
    description: 'Answers with the address of the payment page. Send the payer there. Callbacks report each payment.',
    request: 'SessionRequest',
    answer: 'SessionAnswer',
  },
  '/session/token': {
    id: 'createToken',
    tag: 'Sessions',
    summary: 'Create a token for hosted fields',
    description: 'The token is for the fields on the merchant’s page, and then for `/processing/{operation}/card`.',
    request: 'TokenRequest',
    answer: 'TokenAnswer',
  },
  '/payment/status': {
    id: 'paymentStatus',
    tag: 'Payments',
    summary: 'Ask for the status',
    description:
      'Of a payment, or of the payments of an order: send `payment_id` or `order_id`. With `size` the answer is a list.',
    request: 'StatusRequest',
    answer: 'StatusAnswer',
  },
  '/payment/capture': {
    id: 'capture',
    tag: 'Payments',
    summary: 'Capture a hold',
    description: `Takes held money, all of it or one part. ${CALLBACK_FOLLOWS}`,
    request: 'AmountRequest',
    answer: 'Accepted',
  },
  '/payment/refund': {
    id: 'refund',
    tag: 'Payments',
    summary: 'Refund a payment',
    description: `Gives money back, also in several parts. Of a hold it releases all of it. ${CALLBACK_FOLLOWS}`,
    request: 'AmountRequest',
    answer: 'Accepted',
  },
  '/payment/void': {
    id: 'void',
    tag: 'Payments',
    summary: 'Void a payment',
    description: 'Takes a settled payment back as a whole. Answered when the provider has answered.',
    request: 'VoidRequest',
    answer: 'VoidAnswer',
  },
  '/payment/recurring': {
    id: 'recurring',
    tag: 'Recurring',
    summary: 'Charge a mandate',
    description: 'Charges the payer again, as agreed with the first payment. Answered when the provider has answered.',
    request: 'RecurringRequest',
    answer: 'RecurringAnswer',
  },
  '/payment/retry': {
    id: 'retry',
    tag: 'Recurring',
    summary: 'Try a declined charge again',
    description: `Only of a charge that was declined softly. ${CALLBACK_FOLLOWS}`,
    request: 'RetryRequest',
    answer: 'Accepted',
  },
  '/payment/card/credit': {
    id: 'cardCredit',
    tag: 'Payouts',
    summary: 'Pay out to a card',
    description: `To a card’s number, or to a saved card. ${CALLBACK_FOLLOWS}`,
    request: 'CardCreditRequest',
    answer: 'Accepted',
  },
  '/test/clock': {
    id: 'testClock',
    tag: 'Tests',
    summary: 'Move the test clock',
    description:
      'Moves the time of the merchant’s test payments forward. Sessions expire, callbacks are tried again and schedules charge.',
    request: 'TestClockRequest',
    answer: 'ClockAnswer',
  },
};

const EXAMPLES_PRINTED: readonly (readonly [string, Example])[] = Object.entries(EXAMPLES).map(([name, make]) => [
  name,
  make(PRINTED),
]);

const examplesAt = (path: string) => EXAMPLES_PRINTED.filter(([, example]) => example.path === path);

const printed = (examples: readonly (readonly [string, Example])[]) =>
  Object.fromEntries(
    examples.map(([name, { summary, body, status }]) => [
      name,
      { summary: status === 200 ? summary : `${summary}: refused`, value: nestBrackets(body) },
    ]),
  );

const hashOf = (examples: readonly (readonly [string, Example])[]): string => {
  const used = hashesIn(examples.map(([, example]) => example));
  return used.map((hash) => `- ${formulaText(hash)}`).join('\n');
};

const SIGNED = [{}, { requestSignature: [] }];
const KEY = ref('parameters', 'IdempotencyKey');
const SIGNATURE_HEADERS = ['RequestKey', 'RequestId', 'RequestTimestamp'].map((name) => ref('parameters', name));

const REPLAYED = { headers: { 'idempotency-replayed': ref('headers', 'Replayed') } };

const READS = new Set(['/payment/status']);

/** The calls and commands that only headers sign, unless the operator allows the merchant's addresses a hash. */
const PAYS_OUT = new Set(['/payment/card/credit', 'CREDIT2CARD', 'CARD2CARD', 'CREDIT2VIRTUAL', 'CREDIT2CRYPTO']);
const NEEDS_HEADERS =
  'It pays out, so sign it in the headers. A hash alone is refused with 403, unless the operator accepts it from the merchant’s addresses.';

function apiOperation(path: string, { id, tag, summary, description, request, answer }: Operation) {
  const examples = examplesAt(`/api/v1${path}`);
  const isRead = READS.has(path);
  const paysOut = PAYS_OUT.has(path);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, ...(paysOut ? [NEEDS_HEADERS] : []), 'The hash:', hashOf(examples)].join('\n\n'),
    security: paysOut ? SIGNED.slice(1) : SIGNED,
    parameters: [...(isRead ? [] : [KEY]), ...SIGNATURE_HEADERS],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ref('schemas', request), examples: printed(examples) } },
    },
    responses: {
      200: {
        description: 'Carried out.',
        ...(!isRead && REPLAYED),
        content: { 'application/json': { schema: ref('schemas', answer) } },
      },
      ...(isRead ? withoutKey(refs('api')) : refs('api')),
    },
  };
}

const processingOperation = (operation: (typeof FIELDS_OPERATIONS)[number]) => ({
  operationId: operation === 'purchase' ? 'processPurchase' : 'processDebit',
  tags: ['Sessions'],
  summary: operation === 'purchase' ? 'Pay with hosted fields' : 'Debit with hosted fields',
  description:
    'Pays with the card that the payer has entered into the fields. The header `token` proves the caller. With `public_id` the answer says how that payment stands. Deliver for a callback, not for this answer.',
  security: [{ token: [] }],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: ref('schemas', 'ProcessingRequest'),
        examples: printed(examplesAt(`/api/v1/processing/${operation}/card`)),
      },
    },
  },
  responses: {
    200: {
      description: 'Begun, or how the payment stands.',
      content: { 'application/json': { schema: ref('schemas', 'ProcessingAnswer') } },
    },
    401: {
      description: 'The token is invalid or expired.',
      content: { 'application/json': { schema: ref('schemas', 'Error') } },
    },
    ...withoutKey(refs('api')),
  },
});

/** What each command does. */
const ACTIONS: Readonly<Record<string, string>> = {
  SALE: 'Takes a payment; `auth=Y` holds the money.',
  DEBIT: 'Debits a card.',
  RECURRING_SALE: 'Charges a card again, as agreed with a first `SALE`.',
  RECURRING_DEBIT: 'Debits a card again, as agreed with a first `DEBIT`.',
  RETRY: 'Tries a softly declined later charge again.',
  CREDIT2CARD: 'Pays out to a card.',
  CARD2CARD: 'Takes from one card and pays to another.',
  CAPTURE: 'Takes held money, all of it or one part.',
  VOID: 'Takes a settled sale back.',
  CREDITVOID: 'Gives money back, also in parts. Of a hold it releases all of it.',
  DEBIT2VIRTUAL: 'Debits a payer the amount and a commission.',
  DEBIT2VIRTUAL_CALC: 'Says what a debit costs the payer.',
  DEBIT2VIRTUAL_COMPLETE: 'Debits what `DEBIT2VIRTUAL_CALC` said.',
  CREDIT2VIRTUAL: 'Pays out to an account or a wallet.',
  CREDIT2CRYPTO: 'Pays out coins to an address.',
  GET_TRANS_STATUS: 'Reports how a transaction stands.',
  GET_TRANS_STATUS_BY_ORDER: 'Reports how the newest payment of an order stands.',
  GET_TRANS_DETAILS: 'Reports all of a transaction.',
  CREATE_SCHEDULE: 'Creates a schedule.',
  UPDATE_SCHEDULE: 'Changes the fields of a schedule that are sent.',
  PAUSE_SCHEDULE: 'Pauses a schedule, or one payer’s payments by it.',
  PAUSE: 'The short name of `PAUSE_SCHEDULE`.',
  RUN_SCHEDULE: 'Ends the pause of a schedule, or of one payer’s payments by it.',
  RUN: 'The short name of `RUN_SCHEDULE`.',
  DELETE_SCHEDULE: 'Deletes a schedule that no payment uses.',
  DESCHEDULE: 'Ends one payer’s payments by a schedule.',
  SCHEDULE_INFO: 'Reports the terms of a schedule.',
};

const ANSWERS: ReadonlyMap<z.ZodType, string> = new Map<z.ZodType, string>([
  [transactionSchema, 'TransactionAnswer'],
  [lookupSchema, 'LookupAnswer'],
  [detailsSchema, 'DetailsAnswer'],
  [acceptedCommandSchema, 'AcceptedCommand'],
  [scheduleSchema, 'ScheduleAnswer'],
  [createdScheduleSchema, 'CreatedSchedule'],
  [scheduleInfoSchema, 'ScheduleInfo'],
]);

function answerName({ answer }: Command): string {
  const name = ANSWERS.get(answer);
  if (name === undefined) throw new Error('The answer of a command has no name in the document.');
  return name;
}

/** A command with its name in the document. */
interface NamedCommand {
  readonly name: string;
  readonly action: string;
  readonly protocol: 'card' | 'apm';
  readonly command: Command;
}

const words = (action: string) =>
  action
    .toLowerCase()
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/** The commands at an address. Of two that are one form, only one. */
function commandsAt(path: string): NamedCommand[] {
  return [...COMMANDS].flatMap(([key, { card, apm }]) => {
    const action = String(key);
    const isOneForm = card?.request === apm?.request;
    const both: readonly (readonly ['card' | 'apm', Command | undefined])[] = [
      ['card', path === APM_PATH ? undefined : card],
      ['apm', path !== APM_PATH && isOneForm ? undefined : apm],
    ];
    return both.flatMap(([protocol, command]) => {
      const suffix = protocol === 'apm' && card !== undefined && !isOneForm ? 'Apm' : '';
      return command === undefined ? [] : [{ name: `${words(action)}${suffix}Command`, action, protocol, command }];
    });
  });
}

/** One line for each field: CREATE_SCHEDULE has those that SCHEDULE_INFO reports. */
const ofSchedules: Meanings = Object.fromEntries(
  Object.entries(schemaOf(scheduleInfoSchema, 'output').properties ?? {}).map(([name, field]) => [
    name,
    (typeof field === 'boolean' ? undefined : field.description) ?? '',
  ]),
);

const sessionJson = schemaOf(sessionSchema, 'input', ofSession);

/** The fields of payer and payee that a command with their names hands on to the session, whose rules they have. */
function partyFields(known: JsonSchema['properties'] = {}): Record<string, JsonSchema> {
  const parties = ['payer', 'payee'].filter((party) => Object.hasOwn(known, `${party}_first_name`));
  const fields = Object.entries(SESSION_PATHS).flatMap(([name, path]) => {
    const [block = '', field = ''] = path.split('.');
    const schema = propertyOf(propertyOf(sessionJson, block), field);
    const isOfParty = parties.some((party) => name.startsWith(`${party}_`)) && !Object.hasOwn(known, name);
    return isOfParty && schema !== undefined ? [[name, schema] as const] : [];
  });
  return Object.fromEntries(fields);
}

function propertyOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  const property = schema?.properties?.[name];
  return typeof property === 'boolean' ? undefined : property;
}

/** The formulas by which a test signs a command. @param path absent: at any address */
function hashesOf({ action, protocol }: NamedCommand, path?: string): readonly Hash[] {
  const used = EXAMPLES_PRINTED.flatMap(([, example]) => {
    const { path: sentTo, body } = example;
    const isThis = body['action'] === action && (path !== APM_PATH || sentTo === path);
    const isOfIt = !hasTwo(action) || 'brand' in body === (protocol === 'apm');
    return isThis && isOfIt ? [example] : [];
  });
  return hashesIn(used);
}

/** The schema of the answer to an action at an address. */
export function answerOf(path: string, action: string): string {
  const found = commandsAt(path).find((each) => each.action === action);
  if (found === undefined) throw new Error(`${path} does not understand ${action}.`);
  return answerName(found.command);
}

function commandSchema(named: NamedCommand): JsonSchema {
  const { action, protocol, command } = named;
  const { properties, required = [], ...rest } = schemaOf(command.request, 'input', ofSchedules);
  return {
    ...rest,
    description: [
      `${ACTIONS[action]} Answered by \`${answerName(command)}\`.`,
      ...(PAYS_OUT.has(action) ? [NEEDS_HEADERS] : []),
      'The hash:',
      hashesOf(named)
        .map((hash) => `- ${formulaText(hash)}`)
        .join('\n'),
    ].join('\n\n'),
    properties: {
      action: { type: 'string', const: action, description: 'The command.' },
      ...properties,
      ...partyFields(properties),
    },
    required: ['action', ...required],
    // Whatever names a brand belongs to S2S APM.
    ...(hasTwo(action) &&
      protocol === 'card' && { not: { required: ['brand'], properties: { brand: { type: 'string' } } } }),
  };
}

const ALL_COMMANDS = new Map(COMMAND_PATHS.flatMap(commandsAt).map((each) => [each.name, each]));

/** Whether the two protocols have forms of their own for an action. */
const hasTwo = (action: string) => [...ALL_COMMANDS.values()].filter((each) => each.action === action).length > 1;

const COMMAND_IDS: Readonly<Record<string, readonly [id: string, summary: string, description: string]>> = {
  '/post': ['command', 'Send a command', 'Understands every command.'],
  '/v2/post': [
    'commandWithList',
    'Send a command, redirect parameters as a list',
    'As `/post`, but `redirect_params` of an answer is a list of `name` and `value`.',
  ],
  '/post-va': ['apmCommand', 'Send a command of S2S APM', 'Understands the commands of methods other than cards.'],
};

/** Parameters as `/v2/post` writes them. */
const LISTED: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'The name of the parameter.' },
      value: { type: 'string', description: 'Its value.' },
    },
    required: ['name', 'value'],
  },
};

function commandOperation(path: string) {
  const [id = '', summary = '', description = ''] = COMMAND_IDS[path] ?? [];
  const commands = commandsAt(path);
  const answers = [...new Set(commands.map(({ command }) => answerName(command)))];
  const isOfApm = path === APM_PATH;
  const signed = EXAMPLES_PRINTED.filter(([, { path: sentTo, body }]) =>
    isOfApm ? sentTo === path : body['action'] !== undefined,
  );
  const actions = commands.map(
    (each) =>
      `- \`${each.action}\` (\`${each.name}\`): ${ACTIONS[each.action]} Hash: ${hashesOf(each, path).map(hashName).join(' or ')}`,
  );
  return {
    operationId: id,
    tags: ['Commands'],
    summary,
    description: [
      description,
      'A form, urlencoded or multipart, with nested values in brackets: `parameters[name]`. JSON is accepted too.',
      `The actions:\n\n${[...new Set(actions)].join('\n')}`,
      `The hashes:\n\n${hashOf(signed)}`,
      ...(isOfApm ? [] : [CARD_TEXT]),
    ].join('\n\n'),
    security: SIGNED,
    parameters: [KEY, ...SIGNATURE_HEADERS],
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: { oneOf: commands.map(({ name }) => ref('schemas', name)) },
          encoding: { parameters: NESTED, custom_data: NESTED },
          ...(examplesAt(path).length > 0 && { examples: printed(examplesAt(path)) }),
        },
      },
    },
    responses: {
      200: {
        description: 'Carried out.',
        ...REPLAYED,
        content: { 'application/json': { schema: { anyOf: answers.map((name) => ref('schemas', name)) } } },
      },
      ...refs('command'),
    },
  };
}

const NESTED = { style: 'deepObject', explode: true } as const;

// Callbacks

const CALLBACK_HEADERS = ['WebhookId', 'WebhookTimestamp', 'WebhookSignature', 'PaymentVersion'].map((name) =>
  ref('parameters', name),
);

const whole = (formula: Hash['formula']): Hash => ({ formula, empty: [] });

/** The fields of a formula as a callback names them. */
const CALLBACK_NAMES = {
  payment_id: 'id',
  number: 'order_number',
  amount: 'order_amount',
  currency: 'order_currency',
  description: 'order_description',
};

const webhook = (id: string, summary: string, description: string, content: Json) => ({
  post: {
    operationId: id,
    tags: ['Callbacks'],
    summary,
    description,
    security: [],
    parameters: CALLBACK_HEADERS,
    requestBody: { required: true, content },
    responses: {
      '2XX': {
        description:
          'Received. The body is ignored. Any other status, or none within 20 seconds, is a failure, and the callback is sent again.',
      },
      400: { description: 'The signature is wrong. Change nothing.' },
    },
  },
});

const WEBHOOKS = {
  callback: webhook(
    'callback',
    'A payment has changed',
    `Of payments that began with \`/api/v1\`. Read \`type\`, \`status\` and \`order_status\` together.\n\nThe hash:\n\n- ${formulaText(whole('callback'), CALLBACK_NAMES)}\n- ${formulaText(whole('callback_without_amount'), CALLBACK_NAMES)}, where the payment never had an amount\n\nThe hash does not cover the three words: check \`webhook-signature\`.`,
    {
      'application/x-www-form-urlencoded': { schema: ref('schemas', 'Callback'), encoding: { custom_data: NESTED } },
      'application/json': { schema: ref('schemas', 'Callback') },
    },
  ),
  commandCallback: webhook(
    'commandCallback',
    'A transaction of a command has changed',
    `Of payments that began with a command. \`action\` names the command, or what was done later: \`CAPTURE\`, \`CREDITVOID\`, \`VOID\`, \`RETRY\`, \`CHARGEBACK\`.\n\nThe hash of S2S CARD:\n\n- ${formulaText(whole('card_transaction'))}\n\nThe hash of S2S APM covers every field but \`hash\`: \`md5(uppercase(reverse(each value in the order of the names) + password))\`. Each value is reversed by itself. The values of an object stand in its place, in the order of their names. Of a payout and of \`CREDITVOID\`:\n\n- ${formulaText(whole('payout_callback'))}\n- ${formulaText(whole('credit_void'))}`,
    {
      'application/x-www-form-urlencoded': {
        schema: ref('schemas', 'CommandCallback'),
        encoding: { custom_data: NESTED, redirect_params: NESTED },
      },
    },
  ),
};

// The document

const header = (name: string, description: string, more: { required?: true; schema?: JsonSchema } = {}) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
  ...more,
});

const REQUIRED = { required: true } as const;

const PARAMETERS = {
  IdempotencyKey: header(
    'Idempotency-Key',
    'A repeat with the same key and the same body gets the first answer for 24 hours, and nothing is done twice. A refusal is not kept: correct the request and send it with the same key. Lookups ignore the header.',
    { schema: { type: 'string', pattern: '^[!-~]{1,255}$' } },
  ),
  RequestKey: header(requestSignatureHeaders.key, 'Which of the merchant’s request keys signs.'),
  RequestId: header(
    requestSignatureHeaders.id,
    'Eight to 64 letters, digits, `-` and `_`; new for each time that a request is sent.',
  ),
  RequestTimestamp: header(requestSignatureHeaders.timestamp, 'Seconds since 1970; refused when five minutes away.'),
  WebhookId: header('webhook-id', 'The callback’s id: the same over all attempts. Handle each id once.', REQUIRED),
  WebhookTimestamp: header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.', REQUIRED),
  WebhookSignature: header(
    'webhook-signature',
    '`v1,` and the Base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, for each of the merchant’s secrets. The key is as for `request-signature`, and a space stands between two signatures.',
    REQUIRED,
  ),
  PaymentVersion: header(
    'x-payment-version',
    'Rises with every callback of a payment. The signature does not cover it.',
    REQUIRED,
  ),
};

const apiSchemas = (): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(API_CALLS).flatMap(([path, { request, answer }]) => {
      const operation = operationAt(path);
      const meanings = path === '/session/token' ? ofToken : path === '/session' ? ofSession : {};
      return [
        [operation.request, schemaOf(request, 'input', meanings)],
        [operation.answer, schemaOf(answer, 'output')],
      ];
    }),
  );

function operationAt(path: string): Operation {
  const operation = OPERATIONS[path];
  if (operation === undefined) throw new Error(`Describe ${path} in OPERATIONS of test/support/openapi.ts.`);
  return operation;
}

/** The answers of commands, by their names. */
function commandAnswers(): Record<string, JsonSchema> {
  const answers = [...ANSWERS].map(([answer, name]) => {
    const schema = schemaOf(answer, 'output');
    const parameters = propertyOf(schema, 'redirect_params');
    if (parameters === undefined) return [name, schema] as const;
    const { description, ...object } = parameters;
    const either = { description: `${description} At \`/v2/post\` a list.`, anyOf: [object, LISTED] };
    return [name, { ...schema, properties: { ...schema.properties, redirect_params: either } }] as const;
  });
  return Object.fromEntries(answers);
}

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../../core/package.json', import.meta.url), 'utf8')));

/** OpenAPI 3.1 of all that a merchant can call, and of the callbacks. */
export const openApi = () => ({
  openapi: '3.1.1',
  info: {
    title: 'Railyard checkout',
    version,
    summary: 'What a merchant’s server can ask of the checkout, and what the checkout tells it.',
    description: [
      'Every request is signed: by `hash`, which covers the fields that its operation names, or by `request-signature` in its headers, which covers everything. Payouts need the headers.',
      `\`+\` joins texts with nothing between them, \`password\` is the merchant’s, \`reverse\` reverses the characters, \`hex\` are lower-case hex digits. Beyond ASCII a request may be signed in either of two ways: \`uppercase\` and \`reverse\` work on characters (\`é\` becomes \`É\`), or on bytes, as in PHP 8 (\`é\` stays). Callbacks and returns are signed in the way of the merchant’s request. The hash itself is in lower-case hex digits. Where the merchant’s \`digest\` is \`sha256\`, SHA-256 stands for MD5.`,
      `The hashes of the examples are made for the merchant key \`${merchant.key}\` with the password \`${merchant.password}\`, and for the test key \`${trial.key}\` with \`${trial.password}\`.`,
    ].join('\n\n'),
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: 'https://checkout.example', description: 'The public address of the checkout.' }],
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  paths: {
    ...Object.fromEntries(
      Object.keys(API_CALLS).map((path) => [`/api/v1${path}`, { post: apiOperation(path, operationAt(path)) }]),
    ),
    ...Object.fromEntries(
      FIELDS_OPERATIONS.map((operation) => [
        `/api/v1/processing/${operation}/card`,
        { post: processingOperation(operation) },
      ]),
    ),
    ...Object.fromEntries(COMMAND_PATHS.map((path) => [path, { post: commandOperation(path) }])),
  },
  webhooks: WEBHOOKS,
  components: {
    securitySchemes: {
      requestSignature: {
        type: 'apiKey',
        in: 'header',
        name: requestSignatureHeaders.signature,
        description:
          '`v1,` and the Base64 of HMAC-SHA256 over `<request-id>.<request-timestamp>.POST <path>`, a line feed, and the body, by the secret of the request key. The key of the HMAC is the decoded Base64 after `whsec_`. Of several signatures, separated by spaces, one must be right. A request id is accepted once.',
      },
      token: {
        type: 'apiKey',
        in: 'header',
        name: 'token',
        description: 'The token of `/api/v1/session/token`.',
      },
    },
    headers: {
      Replayed: {
        description: '`true`: the answer to an earlier request with the same `Idempotency-Key`.',
        schema: { type: 'string', const: 'true' },
      },
      RetryAfter: { description: 'Seconds until the request may be sent again.', schema: { type: 'integer' } },
    },
    parameters: PARAMETERS,
    responses: { ...named('api'), ...named('command') },
    schemas: {
      ...apiSchemas(),
      // Once, in place of twice.
      PaymentStatus: schemaOf(statusSchema, 'output'),
      StatusAnswer: {
        anyOf: [ref('schemas', 'PaymentStatus'), { type: 'array', items: ref('schemas', 'PaymentStatus') }],
      },
      ProcessingRequest: schemaOf(processingSchema, 'input', ofSession),
      ProcessingAnswer: schemaOf(processingAnswer, 'output'),
      ...Object.fromEntries([...ALL_COMMANDS].map(([name, each]) => [name, commandSchema(each)])),
      ...commandAnswers(),
      ValidationError: schemaOf(validationSchema, 'output'),
      Error: schemaOf(errorSchema, 'output'),
      CommandError: schemaOf(commandErrorSchema, 'output'),
      Callback: schemaOf(callbackSchema, 'output'),
      CommandCallback: schemaOf(commandCallbackSchema, 'output'),
    },
  },
});
