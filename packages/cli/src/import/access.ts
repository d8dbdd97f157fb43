import type { Facts, OperationFacts, ParameterFacts, SecurityFacts } from '@railyard/conformance/official';
import { flatOf } from './flat-schema.ts';
import { braces, call, type Doc, fieldName, quoted, WIDTH } from './layout.ts';
import { capital, snake } from './names.ts';
import type { Questions } from './questions.ts';

/** How the operations are let in, as the file says it. */
export interface Access {
  /** Fields of the settings, `name: schema`. */
  readonly settings: readonly Doc[];
  /** The value of `headers` of the API; absent where no header carries a credential of the settings. */
  readonly headersText?: Doc;
  /** Headers of the credentials as goldens write them. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Headers that every request carries from the settings, besides credentials. */
  readonly headers: readonly string[];
  /** Fields of every query, with the settings at hand. */
  readonly query: readonly string[];
  /** The call that gets the token which every other call carries. */
  readonly token?: TokenCall;
  /** Names that the file imports from core. */
  readonly imports: readonly string[];
  readonly notes: readonly string[];
}

interface TokenCall {
  readonly path: string;
  /** The setting that holds its address; absent if the API has the same address. */
  readonly setting?: string;
  readonly question: string;
}

/** The part of one scheme. */
interface Scheme {
  readonly settings?: readonly Doc[];
  readonly header?: { readonly name: string; readonly value: string; readonly reads: readonly string[] };
  readonly query?: string;
  readonly token?: TokenCall;
  readonly imports?: readonly string[];
  readonly note?: string;
  /** Asked of a person where the scheme is none that is known. */
  readonly question?: string;
}

/** The access by the first way into each operation; further ways are notes. */
export function accessOf({ operations, schemas, security = {} }: Facts, questions: Questions): Access {
  const all = Object.entries(operations).flatMap(([name, each]) => (name.includes(' /') ? [each] : []));
  const names = [...new Set(all.flatMap((each) => Object.keys(each.security?.[0] ?? {})))];
  const ways = all.flatMap((each) => each.security ?? []).flatMap((way) => Object.keys(way));
  const others = [...new Set(ways)].filter((name) => !names.includes(name));
  const schemes = names.map((name) => schemeOf(name, security[name] ?? { type: 'unknown' }));
  const credentials = schemes.flatMap(({ header }) => header ?? []);
  const isDouble = new Set(credentials.map(({ name }) => name)).size < credentials.length;
  const question = isDouble
    ? `which of ${names.join(' and ')} requests carry: both are the header ${credentials[0]?.name}`
    : schemes.length === 0
      ? 'how requests are let in: the description names no scheme'
      : schemes.find((each) => each.question !== undefined)?.question;
  const shared = question === undefined ? sharedHeaders(all, credentials, schemas) : [];
  const headers = [...credentials, ...shared.flatMap(({ header }) => header ?? [])];
  const token = schemes.find((each) => each.token !== undefined)?.token;
  return {
    settings: [...schemes, ...shared].flatMap((each) => each.settings ?? []),
    credentials: Object.fromEntries(headers.map(({ name, value }) => [name, goldenOf(value)])),
    headers: shared.flatMap(({ header }) => header?.name ?? []),
    ...(question === undefined
      ? headers.length > 0 && { headersText: headersText(headers) }
      : { headersText: questions.value(question) }),
    query: schemes.flatMap((each) => each.query ?? []),
    ...(token && { token }),
    imports: [...schemes, ...shared].flatMap((each) => each.imports ?? []),
    notes: [
      ...schemes.flatMap((each) => each.note ?? []),
      ...(others.length > 0
        ? [`Requests may be let in by ${others.join(', ')} too; ${names.join(', ')} is written.`]
        : []),
    ],
  };
}

/** Headers whose value is of one request. */
const OF_REQUEST =
  /idempot|request|correlation|trace|callback|url|time|date|digest|signature|nonce|if-|content|accept|authorization/i;
const SECRET = /key|secret|token|password/i;

/** Headers that all operations require are of the account: who it is, and the key of a subscription. */
function sharedHeaders(
  operations: readonly OperationFacts[],
  credentials: readonly { readonly name: string }[],
  schemas: Facts['schemas'],
): readonly Scheme[] {
  const known = credentials.map(({ name }) => name);
  const required = operations.map(({ parameters }) =>
    parameters.filter(
      (each) =>
        each.in === 'header' &&
        each.required &&
        !OF_REQUEST.test(each.name) &&
        !known.includes(each.name.toLowerCase()),
    ),
  );
  const [first = [], ...more] = required;
  const isShared = ({ name }: ParameterFacts) => more.every((each) => each.some((one) => one.name === name));
  return (more.length === 0 ? [] : first.filter(isShared)).map(({ name, schema }) => {
    const setting = snake(name);
    const label = capital(setting.replaceAll('_', ' '));
    const text = textOf(flatOf(schemas, [{ schema, within: [] }]).pattern);
    return {
      settings: [SECRET.test(name) ? secretField(setting, label) : labelled(setting, text, label)],
      imports: [SECRET.test(name) ? 'secret' : 'field'],
      header: { name: name.toLowerCase(), value: setting, reads: [setting] },
    };
  });
}

/** `Bearer ${access_token}` of the settings with places for them, as goldens have them. */
function goldenOf(value: string): string {
  if (!value.startsWith('`')) return `{settings.${value}}`;
  const places = value.slice(1, -1).replaceAll('${btoa(`', '{base64:').replaceAll('`)}', '}');
  return places.replaceAll('${', '{settings.');
}

function headersText(headers: readonly NonNullable<Scheme['header']>[]): Doc {
  const reads = [...new Set(headers.flatMap((each) => each.reads))];
  const fields = headers.map(({ name, value }) => `${fieldName(name)}: ${value}`);
  return [`({ ${reads.join(', ')} }) => (`, braces(fields), ')'];
}

/** The schema of a header with the pattern of the description. Only a class with a length is kept, such as `^[0-9]{4,6}$`: it is fast for every text. */
const textOf = (pattern = ''): string =>
  /^\^\[[\w-]+\]\{\d+(?:,\d+)?\}\$$/.test(pattern) ? `z.string().regex(/${pattern}/)` : 'z.string().min(1)';

const secretField = (name: string, label: string) => `${name}: secret(z.string().min(1), ${quoted(label)})`;
/** A setting with its label. A long schema stands in a line of its own, and the label then too, as formatters break arguments. */
function labelled(name: string, schema: string, label: string): Doc {
  const isLong = `  ${name}: field(${schema}, {`.length > WIDTH;
  const about = braces([`label: ${quoted(label)}`], isLong);
  return [`${name}: `, isLong ? call('field', [schema, about]) : ['field(', schema, ', ', about, ')']];
}
const plainField = (name: string, label: string) => labelled(name, 'z.string().min(1)', label);

/** An account of the merchant that stands in paths. */
export const accountField = (setting: string): Doc => plainField(setting, capital(setting.replaceAll('_', ' ')));

const urlField = (name: string, label: string, more = '') =>
  labelled(name, `z.url({ protocol: /^https?$/ })${more}`, label);

function schemeOf(name: string, scheme: SecurityFacts): Scheme {
  const { type, in: place, name: key = name, scheme: kind, flows = {} } = scheme;
  const settings = [secretField('api_key', 'API key')];
  const imports = ['secret'];
  if (type === 'apiKey' && place === 'header') {
    const note =
      key.toLowerCase() === 'authorization'
        ? 'The header Authorization is described as a key. Where it carries a token that is asked for first, give providerApi `token` in the place of api_key.'
        : undefined;
    const header = { name: key.toLowerCase(), value: 'api_key', reads: ['api_key'] };
    return { settings, imports, header, ...(note !== undefined && { note }) };
  }
  if (type === 'apiKey' && place === 'query')
    return { settings, imports, query: `${fieldName(key)}: settings.api_key` };
  if (type === 'http' && kind === 'bearer')
    return {
      settings: [secretField('access_token', 'Access token')],
      imports,
      header: { name: 'authorization', value: '`Bearer ${access_token}`', reads: ['access_token'] },
    };
  if (type === 'http' && kind === 'basic')
    return {
      settings: [plainField('username', 'User name'), secretField('password', 'Password')],
      imports: ['field', 'secret'],
      header: {
        name: 'authorization',
        value: '`Basic ${btoa(`${username}:${password}`)}`',
        reads: ['username', 'password'],
      },
    };
  const tokenUrl = type === 'oauth2' ? flows['clientCredentials'] : undefined;
  if (tokenUrl !== undefined) return oauth(tokenUrl);
  if (type === 'mutualTLS') return { note: `${name} is mutual TLS: declare tls(settings) of the connector.` };
  const what = [type, kind, place, ...Object.keys(flows)].filter((each) => each !== undefined).join(' ');
  return { question: `how requests are let in: ${name} is ${what}` };
}

/** OAuth 2.0, client credentials. The address of the token endpoint may be a path, of the API itself. */
function oauth(address: string): Scheme {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const server = urlField('oauth_url', 'Address of the OAuth server');
  return {
    settings: [
      ...(url === undefined ? [] : [server]),
      plainField('client_id', 'Client id'),
      secretField('client_secret', 'Client secret'),
    ],
    token: {
      path: url?.pathname ?? address,
      ...(url && { setting: 'oauth_url' }),
      question: 'how the client proves itself to the token endpoint: by basic, body, private-key-jwt or tls',
    },
    imports: ['field', 'secret'],
    ...(url && { note: `The token endpoint is ${address} in the description; its server is a setting.` }),
  };
}

/** The setting that holds the address of the API. Of several addresses none is the right one for everybody. */
export function baseUrlOf({ servers = [] }: Pick<Facts, 'servers'>): {
  readonly text: Doc;
  readonly notes: readonly string[];
} {
  const whole = servers.filter((each) => URL.canParse(each));
  const [only = '', ...more] = whole;
  const address = only !== '' && more.length === 0 ? `.default(${quoted(only.replace(/\/$/, ''))})` : '';
  const below = servers.filter((each) => !URL.canParse(each) && each !== '/');
  return {
    text: urlField('base_url', 'Address of the API', address),
    notes: [
      ...(more.length > 0 ? [`The API has the addresses ${whole.join(', ')}: base_url has no default.`] : []),
      ...below.map((each) => `The paths of the API begin with ${each}: base_url ends with it.`),
    ],
  };
}
