import * as fc from '../../../../test/support/properties.ts';

/** A request that uses every block, from which mutations make others. */
export const fullRequest: Readonly<Record<string, unknown>> = {
  merchant_key: '11111111-2222-4333-8444-555555555555',
  operation: 'purchase',
  success_url: 'https://shop.example/success?a=1',
  cancel_url: 'https://shop.example/cancel',
  expiry_url: 'https://shop.example/expiry',
  error_url: 'https://shop.example/error',
  url_target: '_self',
  session_expiry: '30',
  channel_id: 'web',
  hash: 'checked elsewhere',
  order: { number: 'order-1001', amount: '25.00', currency: 'USD', description: 'Two tickets' },
  customer: { name: 'Ann Lee', email: 'ann@shop.example', birth_date: '1990-02-03' },
  billing_address: {
    country: 'US',
    state: 'CA',
    city: 'San Jose',
    address: '1 First Street',
    house_number: '12a',
    zip: '95101',
    phone: '+1408555',
    phone_country_code: '+1',
    district: 'North',
    language: 'en',
  },
  parameters: {
    voucher: { store: 'north', branch: '1001', kind: 'often', times: '3', document: '123456', note: 'short' },
  },
  custom_data: { cart: { items: [1, 2, 'three'] } },
  methods: ['voucher', 'regional'],
  req_token: 'Y',
  auth: false,
  recurring_init: true,
  schedule_id: null,
  schedule_start_date: false,
  vat_calc: 'false',
  crypto: { network: 'chain' },
  form_id: 'N',
  recurring_consent_required: false,
};

const paths = pathsOf(fullRequest, []);

function pathsOf(value: object, before: readonly string[]): string[][] {
  return Object.entries(value).flatMap(([key, child]) => {
    const path = [...before, key];
    return typeof child === 'object' && child !== null ? [path, ...pathsOf(child, path)] : [path];
  });
}

const oddText = fc.constantFrom('', ' ', 'a', 'x'.repeat(300), '\u0000', '\ud83d', 'Y', 'N', '-1', '0', '0.001', 'BRL');
const oddValue = fc.oneof(
  { weight: 3, arbitrary: oddText },
  { weight: 2, arbitrary: fc.constantFrom(null, undefined, true, false, 0, -1, 1.5, 721, 1e21, Number.NaN) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 2, arbitrary: fc.constantFrom([], {}, [''], [null], ['voucher', 'voucher'], { a: 1 }) },
  { weight: 1, arbitrary: fc.jsonValue() },
);

const mutation = fc.oneof(
  fc.record({ path: fc.constantFrom(...paths), value: oddValue }),
  fc.record({ path: fc.constantFrom(...paths), value: fc.constant(undefined), remove: fc.constant(true) }),
  fc.record({
    path: fc.tuple(fc.constantFrom(...paths), fc.string()).map(([path, name]) => [...path.slice(0, -1), name]),
    value: oddValue,
  }),
);

/** Requests with a few fields replaced, taken away or added. */
export const mutatedRequest = fc.array(mutation, { maxLength: 4 }).map((mutations) => {
  const request = structuredClone(fullRequest);
  for (const { path, value, ...more } of mutations) put(request, path, value, 'remove' in more);
  return request;
});

function put(request: object, path: readonly string[], value: unknown, remove: boolean): void {
  let at: object = request;
  for (const name of path.slice(0, -1)) {
    const next: unknown = Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined;
    if (typeof next !== 'object' || next === null) return;
    at = next;
  }
  const last = path.at(-1) ?? '';
  if (remove) Reflect.deleteProperty(at, last);
  else Object.defineProperty(at, last, { value, enumerable: true, configurable: true, writable: true });
}
