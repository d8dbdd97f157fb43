import {
  amountFields,
  amountOf,
  call,
  declined,
  defineConnector,
  field,
  jsonNumber,
  type JsonNumberLiteral,
  getOrFind,
  notFound,
  notificationsFor,
  ofThisPayment,
  providerApi,
  refusedBy,
  secret,
  statusTable,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { type ChargeReply, created, lookedUp } from './code.ts';
import { sampleAbsent, sampleCollection, sampleNotification } from './collection.samples.ts';
import { pixCollection } from './methods/pix-collection.ts';

const SOURCE = 'packages/connector-pix/README.md, Collection provider';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  expiry_hours: field(z.int().min(1).max(8760).default(24), {
    label: 'Life of a code in hours',
    help: 'Used where neither the request nor the MID names an expiryDate.',
  }),
});

const statuses = statusTable({
  CREATED: 'pending',
  PENDING: 'pending',
  PAID: 'settled',
  EXPIRED: { declined: 'soft', code: 'expired', reason: 'The code expired before it was paid.' },
  FAILED: { declined: 'soft', code: 'not_completed' },
  CANCELLED: { declined: 'hard', code: 'cancelled', reason: 'The collection was cancelled.' },
});

// Replies.

const shared = () => ({ id: z.string().min(1), status: z.string(), ...amountFields });
const collectionBody = withAmount(
  z.object({
    ...shared(),
    reference: z.string().optional(),
    qrCode: z.string().optional(),
    expiryDate: z.iso.datetime({ offset: true }).optional(),
  }),
);
const problem = z.object({ error: z.string() });

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
  keyHeader: 'idempotency-key',
  visible: ['id', 'reference', 'status', 'amount', 'currency', 'market', 'type', 'expiryDate', 'error'],
});

const collections = {
  found: collectionBody,
  absent: problem,
  samples: { found: { ...sampleCollection, status: 'PAID' }, absent: sampleAbsent },
};
const getCollection = api.lookup('get-collection', '/collections/{id}', collections);
const findCollection = api.lookup('find-collection', '/collections/reference/{reference}', collections);

/** The fields of the collection provider under their own names (protocol: Collection provider methods). */
interface CollectionRequest {
  /** A JSON number with the exact digits of the order's amount. */
  readonly amount: JsonNumberLiteral;
  readonly expiryDate: string;
  readonly callbackUrl: string;
  readonly reference: string;
  readonly merchantType: string;
  readonly merchantName: string;
  readonly accountId: string;
  readonly market: string;
  readonly type: string;
  readonly currency: string;
}

const createCollection = api.endpoint('create-collection', 'POST /collections', {
  repeat: 'keyed',
  request: (input: CollectionRequest) => ({ json: { ...input } }),
  replies: {
    created: { status: [200, 201], body: collectionBody },
    refused: { status: [400, 402, 422], body: problem },
  },
  examples: [
    { is: 'created', status: 201, body: sampleCollection },
    { is: 'refused', status: 422, body: { error: 'The account is closed.' } },
  ],
});

// Meaning of replies.

const factsOf = ({ id, status, ...amount }: Omit<z.output<typeof collectionBody>, 'qrCode' | 'expiryDate'>) => ({
  word: status,
  providerReference: id,
  amount: amountOf(amount),
});

function collection(
  body: z.output<typeof collectionBody>,
  asked: { readonly merchantReference?: string; readonly providerReference?: string | undefined },
): ChargeReply {
  const amount = amountOf(body);
  return {
    outcome: ofThisPayment(statuses.read(factsOf(body)), asked, body.reference),
    code: { content: body.qrCode, amount, validUntil: body.expiryDate && inUtc(Date.parse(body.expiryDate)) },
  };
}

/** The provider signs nothing, so a notification only says where to look: the status is asked before anything changes. */
const notifications = notificationsFor(settings)({
  verify: { scheme: 'unsigned', confirm: 'status' },
  codec: 'json',
  body: withAmount(z.object({ ...shared(), reference: z.string() })),
  // The provider numbers no events; a collection takes each status once.
  events: (body) => statuses.events(`${body.id}/${body.status}`, body.reference, factsOf(body)),
  examples: [{ body: sampleNotification, source: SOURCE }],
});

// The connector.

const inUtc = (ms: number): string => new Date(ms).toISOString();

/** Pix through a collection account. */
export const collectionConnector = defineConnector({
  id: 'pix-collection',
  contract: 1,
  version: manifest.version,
  title: 'Pix, collection provider',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(pixCollection, {
      *purchase({ payment, settings, now, urls }) {
        const {
          expiryDate = inUtc(Date.parse(now) + settings.expiry_hours * 3_600_000),
          callbackUrl = urls.notify,
          reference = payment.merchantReference,
          ...account
        } = payment.parameters;
        // Validation knows the day, not the time; a code that is born expired is not asked for.
        if (Date.parse(expiryDate) <= Date.parse(now))
          return declined('hard', 'expired', { reason: 'expiryDate is in the past.' });
        const amount = jsonNumber(payment.amount);
        const { currency } = payment.order;
        const given = { expiryDate, callbackUrl, reference, ...account };
        const answer = yield* call(createCollection, { amount, ...given, currency });
        if (answer.reply === 'refused') return refusedBy({ message: answer.body.error });
        const made = collection(answer.body, { merchantReference: reference });
        // The end is the one that was asked for: the provider's clock or zone may be another.
        return created({ ...made, code: { ...made.code, validUntil: inUtc(Date.parse(expiryDate)) } });
      },

      *status({ payment }) {
        const { providerReference, merchantReference } = payment;
        const answer = yield* getOrFind(payment, { get: getCollection, find: findCollection });
        // An absent one may also carry a reference of the merchant's; one that is found by its id may as well.
        if (answer.reply === 'absent') return notFound({ message: answer.body.error });
        const asked = providerReference === undefined ? { merchantReference } : { providerReference };
        return lookedUp(collection(answer.body, asked), payment);
      },
    }),
  ],
});
