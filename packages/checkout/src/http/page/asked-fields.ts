import { countriesWithStates } from '@railyard/core/payer';
import { choicesOf, type FieldState, type Resolution, resolveMethod } from '@railyard/core/registry';
import type { Route } from '../../merchants/directory.ts';
import type { PageDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import { COUNTRY, STATE, understood } from '../../sessions/payer-words.ts';
import { withNumbers } from '../../sessions/phones.ts';
import type { PageField } from '../../page/model.ts';

type Answers = Readonly<Record<string, string>>;

/** The inputs for what is missing, and for what the payer entered and may correct. */
export function askedFields(
  context: PageDeps,
  session: OpenSession,
  route: Route,
  entered: ReadonlyMap<string, string> = new Map(),
): readonly PageField[] {
  const { request } = session;
  const answers = understood(Object.fromEntries(entered), request, session.merchant.config.names);
  // Answers can make further fields necessary, so it is asked with and without them.
  const known = new Map<string, FieldState>();
  for (const payer of [{}, answers])
    for (const field of missing(context, session, route, payer)) known.set(field.path, field);
  if (known.has(COUNTRY))
    for (const state of stateOfAnyCountry(context, session, route, answers)) known.set(STATE, state);
  return [...known.values()].map((field) => {
    const asked = fieldOf(field, request.billing_address?.country, answers);
    const { options } = asked;
    return options === undefined ? asked : { ...asked, options: offered(context, session, route, asked, answers) };
  });
}

/** The options that no rule of the method refuses for this order: a network of Kenya is none of an order in cedis. */
function offered(
  context: PageDeps,
  session: OpenSession,
  route: Route,
  { name, options = [] }: PageField,
  { [name]: _chosen, ...others }: Answers,
): NonNullable<PageField['options']> {
  // With the other answers, because some fields exist by them alone.
  const fitting = options.filter(({ value }) => {
    const resolution = resolved(context, session, route, { ...others, [name]: value });
    return resolution.kind !== 'invalid' || resolution.issues.every(({ path }) => path !== name);
  });
  // Where none fits, another answer is at fault, and its own problem says so.
  return fitting.length === 0 ? options : fitting;
}

/** The fields of a method that are still missing with these answers. */
function missing(context: PageDeps, session: OpenSession, route: Route, payer: Answers): readonly FieldState[] {
  const resolution = resolved(context, session, route, payer);
  return resolution.kind === 'missing' ? resolution.fields : [];
}

function resolved(context: PageDeps, session: OpenSession, route: Route, payer: Answers): Resolution {
  const { registry } = context.directory;
  const read = withNumbers(registry, session.merchant.profile, session.request, route.key, payer);
  return resolveMethod(registry, read.request, route.key, {
    mid: route.mid.defaults[route.method.key] ?? {},
    payer: read.answers,
    profiles: session.merchant.profile,
    profile: route.profile,
  });
}

/** A country that the payer chooses may have states: the page offers them all, so that the form need not be sent twice. */
function stateOfAnyCountry(
  context: PageDeps,
  session: OpenSession,
  route: Route,
  { [STATE]: _left, ...answers }: Answers,
): readonly FieldState[] {
  const [some = ''] = countriesWithStates;
  return missing(context, session, route, { ...answers, [COUNTRY]: some }).filter(({ path }) => path === STATE);
}

function fieldOf({ path, info, required, schema }: FieldState, sent: string | undefined, answers: Answers): PageField {
  const options = info.input === undefined || info.input === 'select' ? choicesOf(schema) : undefined;
  return {
    name: path,
    label: info.label,
    input: info.input ?? (path === COUNTRY ? 'country' : 'text'),
    required,
    ...(info.secret === true && { secret: true }),
    ...(info.help !== undefined && { help: info.help }),
    ...(info.example !== undefined && { example: info.example }),
    ...(info.autocomplete !== undefined && { autocomplete: info.autocomplete }),
    ...(options && { input: 'select', options }),
    ...(path === COUNTRY && answers[COUNTRY] !== undefined && { value: answers[COUNTRY] }),
    ...(path === STATE && stateChoice(sent, answers)),
  };
}

/** The states of the request's country; where the payer chooses it, those of all, of which only some payers need one. */
function stateChoice(sent: string | undefined, answers: Answers): Partial<PageField> {
  const { [COUNTRY]: country = sent, [STATE]: value } = answers;
  return {
    input: 'state',
    required: sent !== undefined,
    states: { of: sent === undefined ? [...countriesWithStates] : [sent], ...(country !== undefined && { country }) },
    ...(value !== undefined && { value }),
  };
}
