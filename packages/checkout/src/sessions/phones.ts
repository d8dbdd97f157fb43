import { type Method, readPath, TEXTS } from '@railyard/core';
import { type Issue, issue, type SessionRequest } from '@railyard/core/protocol';
import { fieldInfo, type Profile, type Registry, shapeWithin, type Translated } from '@railyard/core/registry';
import * as z from 'zod';
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

/** A place in a request where a method takes a phone number. */
interface PhonePlace {
  /** Within the session, or below `parameters.<key>`. */
  readonly path: readonly string[];
  readonly isOwn: boolean;
  readonly mandatory: boolean;
  readonly isPhone: (text: string) => boolean;
}

type PreparedOperation = ReturnType<Registry['prepare']>;

const placesOf = new WeakMap<PreparedOperation, readonly PhonePlace[]>();

/** The fields with `input: 'tel'`, also within objects; found once, because some methods have hundreds of fields. */
function phonePlaces(operation: PreparedOperation): readonly PhonePlace[] {
  const before = placesOf.get(operation);
  if (before !== undefined) return before;
  const own = [...operation.shapes.values()].flatMap(({ fields }) =>
    [...fields.values()].flatMap(({ name, schema }) => within([name], schema, true)),
  );
  const needs = [...operation.needs.values()].flatMap(({ name, schema }) => within(name.split('.'), schema, false));
  const places = [...needs, ...own];
  placesOf.set(operation, places);
  return places;
}

function within(
  path: readonly string[],
  schema: z.ZodType,
  isOwn: boolean,
  around: readonly unknown[] = [],
): PhonePlace[] {
  if (fieldInfo(schema, '').input === 'tel') {
    const isPhone = (text: string) => schema.safeParse(text).success;
    return [{ path, isOwn, mandatory: !schema.safeParse(undefined).success, isPhone }];
  }
  const shape = shapeWithin(schema);
  if (shape === undefined || around.includes(shape)) return [];
  return Object.entries(shape).flatMap(([name, each]) =>
    each instanceof z.ZodType ? within([...path, name], each, isOwn, [...around, shape]) : [],
  );
}

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
  for (const { path: own, isOwn, mandatory, isPhone } of phonePlaces(registry.prepare(spec))) {
    const path = isOwn ? ['parameters', key, ...own] : own;
    const name = path.join('.');
    const sent = readPath(session, name);
    const bySystem = sent !== undefined;
    const written = bySystem ? sent : given[name];
    // The schema refuses a text that is no phone number at all.
    if (typeof written !== 'string' || !isPhone(written)) continue;
    const read = readPhone(written, factsOf(session, method?.countries, given, name, bySystem));
    if (read.ok && bySystem) request = withValue(request, path, read.e164);
    else if (read.ok) answers[name] = read.e164;
    // No call is made to it, and the protocol lets a merchant send any digits: it goes on as it came.
    else if (!bySystem || mandatory || isOwn) issues.push(unread(name, read.said));
  }
  return { request, answers, issues };
}

const unread = (name: string, said: Translated): Issue => ({
  ...issue(name, `${TEXTS.notValid} ${said.en}`),
  said,
});

/** The payer's answer to a step of a payment's flow, in which the numbers are E.164. */
export function answerWithNumbers(
  session: SessionRequest,
  method: Method | undefined,
  fields: readonly { readonly name: string; readonly input: string }[],
  given: Answers,
): Pick<WithNumbers, 'answers' | 'issues'> {
  const answers: Record<string, string> = { ...given };
  const issues: Issue[] = [];
  for (const { name } of fields.filter(({ input }) => input === 'tel')) {
    const { [name]: written = '' } = given;
    // The schema says whether it may be left out.
    if (written.trim() === '') continue;
    const read = readPhone(written, factsOf(session, method?.countries, {}, name, false));
    if (read.ok) answers[name] = read.e164;
    else issues.push(unread(name, read.said));
  }
  return { answers, issues };
}

/** The parameters of every method that a session may show, read; the numbers of its own blocks are read for each method when it is paid by. */
export function withNumbersOfAll(
  registry: Registry,
  profile: Profile | undefined,
  session: SessionRequest,
): { readonly request: SessionRequest; readonly unfit: ReadonlyMap<string, readonly Issue[]> } {
  let request = session;
  const unfit = new Map<string, readonly Issue[]>();
  const shown = session.methods ?? Object.keys(profile?.methods ?? {});
  for (const key of new Set([...shown, ...Object.keys(session.parameters ?? {})])) {
    const read = withNumbers(registry, profile, session, key);
    const own = read.request.parameters?.[key];
    if (own !== session.parameters?.[key])
      request = { ...request, parameters: { ...request.parameters, ...(own && { [key]: own }) } };
    if (read.issues.length > 0) unfit.set(key, read.issues);
  }
  return { request, unfit };
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
