import { readPath, TEXTS } from '@railyard/core';
import { type Issue, issue, type SessionRequest } from '@railyard/core/protocol';
import type { Profile, Registry } from '@railyard/core/registry';
import { type PhoneFacts, readPhone } from './phone-number.ts';

type Answers = Readonly<Record<string, string>>;

/** A request and the payer's answers, in which the numbers of one method are E.164. */
interface WithNumbers {
  readonly request: SessionRequest;
  readonly answers: Answers;
  readonly issues: readonly Issue[];
}

/**
 * ISO 4217 codes whose first two letters are a country's, but which are the money of others too (ISO 4217, list one): no number is read by
 * them.
 */
const SHARED: ReadonlySet<string> = new Set([
  'AUD',
  'CHF',
  'DKK',
  'GBP',
  'ILS',
  'INR',
  'MAD',
  'NOK',
  'NZD',
  'USD',
  'ZAR',
]);

/** The one country of a currency: `KES` is of `KE`. Nothing for `EUR`, `USD`, `XOF`. */
const countryOf = (currency: string): string | undefined =>
  /^[A-WY-Z][A-Z]{2}$/.test(currency) && !SHARED.has(currency) ? currency.slice(0, 2) : undefined;

/**
 * Reads the phone numbers that a method needs, of the request and of the payer: its fields with `input: 'tel'`. Core refuses only what is no
 * phone number in any writing; the country decides here. The stored request keeps the merchant's writing, which callbacks repeat.
 */
export function withNumbers(
  registry: Registry,
  profile: Profile | undefined,
  session: SessionRequest,
  key: string,
  given: Answers = {},
): WithNumbers {
  let request = session;
  const answers: Record<string, string> = { ...given };
  const issues: Issue[] = [];
  const method = registry.find(key, profile);
  const spec = method?.operations[session.operation];
  if (spec === undefined) return { request, answers, issues };
  const { needs, shapes } = registry.prepare(spec);
  const own = [...shapes.values()].flatMap(({ fields }) => [...fields.values()]);
  const places = [
    ...[...needs.values()].map((field) => ({ field, path: field.name.split('.') })),
    ...own.map((field) => ({ field, path: ['parameters', key, field.name] })),
  ].filter(({ field }) => field.info.input === 'tel');
  for (const { field, path } of places) {
    const name = path.join('.');
    const sent = readPath(session, name);
    const bySystem = sent !== undefined;
    const written = bySystem ? sent : given[name];
    // The schema refuses a text that is no phone number at all.
    if (typeof written !== 'string' || !field.fast.safeParse(written).success) continue;
    const read = readPhone(written, factsOf(session, method?.countries, given, name, bySystem));
    if (read.ok && bySystem) request = withValue(request, path, read.e164);
    else if (read.ok) answers[name] = read.e164;
    // No call is made to it, and the protocol lets a merchant send any digits: it goes on as it came.
    else if (!bySystem || field.mandatory || path[0] === 'parameters')
      issues.push({ ...issue(name, `${TEXTS.notValid} ${read.said.en}`), said: read.said });
  }
  return { request, answers, issues };
}

/** The parameters of every method that a session names, read; the numbers of its own blocks are read for each method when it is paid by. */
export function withNumbersOfAll(
  registry: Registry,
  profile: Profile | undefined,
  session: SessionRequest,
): Pick<WithNumbers, 'request' | 'issues'> {
  let request = session;
  const issues: Issue[] = [];
  for (const key of new Set([...(session.methods ?? []), ...Object.keys(session.parameters ?? {})])) {
    const read = withNumbers(registry, profile, session, key);
    const own = read.request.parameters?.[key];
    if (own !== session.parameters?.[key])
      request = { ...request, parameters: { ...request.parameters, ...(own && { [key]: own }) } };
    issues.push(...read.issues);
  }
  return { request, issues };
}

function factsOf(
  { operation, order, billing_address, payee_billing_address }: SessionRequest,
  only: readonly string[] | undefined,
  answers: Answers,
  name: string,
  bySystem: boolean,
): PhoneFacts {
  const isPayees = operation === 'credit' || name.startsWith('payee');
  const address = isPayees ? payee_billing_address : billing_address;
  const block = isPayees ? 'payee_billing_address' : 'billing_address';
  const countries = [address?.country ?? answers[`${block}.country`], countryOf(order.currency)];
  const known = countries.filter((each) => each !== undefined && (only?.includes(each) ?? true));
  const [single] = only?.length === 1 ? only : [];
  return {
    countries: [...new Set(single === undefined ? known.filter((each) => each !== undefined) : [single])],
    callingCode: name === `${block}.phone` ? address?.phone_country_code : undefined,
    bySystem,
  };
}

function withValue(request: SessionRequest, [first = '', ...rest]: readonly string[], value: string): SessionRequest {
  const put = (into: object, [name = '', ...further]: readonly string[]): object => ({
    ...into,
    [name]: further.length === 0 ? value : put(Object(Reflect.get(into, name)), further),
  });
  return { ...request, [first]: put(Object(Reflect.get(request, first)), rest) };
}
