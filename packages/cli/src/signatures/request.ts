import { createHmac } from 'node:crypto';
import { MODIFICATION_ROUTES } from '@railyard/core/payment';
import { withoutTrailingSlashes } from '@railyard/core/protocol';
import { requestIdForm, requestSignature, requestSignatureHeaders, requestTolerance } from '@railyard/core/merchant';
import { headersIn } from './headers.ts';
import { otherBodies, type WebhookDiagnosis } from './webhook.ts';

/** A request as it came, and what its headers say of its signature. */
export interface SignedRequest {
  readonly key: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly path: string;
  readonly body: string;
}

/** The fault of a request, by the part that has it. */
type RequestFault = WebhookDiagnosis;

/** Reads the four headers. */
export function readSignedRequest(headers: string, path: string, body: string): SignedRequest {
  const { key, id, timestamp, signature } = requestSignatureHeaders;
  const header = headersIn(headers, [key, id, timestamp, signature]);
  return { key: header(key), id: header(id), timestamp: header(timestamp), signature: header(signature), path, body };
}

/** A fault of the headers themselves, with any secret. */
export function faultOfHeaders(
  { key, id, timestamp }: SignedRequest,
  expectedKey: string | undefined,
): RequestFault | undefined {
  if (expectedKey !== undefined && key !== expectedKey)
    return {
      mistake: 'key',
      says: `request-key is "${key}", and the secret belongs to "${expectedKey}".`,
      advice: 'Send the id of the key that signs.',
    };
  if (!requestIdForm.test(id))
    return {
      mistake: 'id',
      says: 'request-id has another form than 8 to 64 letters, digits, "-" and "_".',
      advice: 'Send a new UUID each time.',
    };
  if (!/^\d{1,12}$/.test(timestamp))
    return {
      mistake: 'timestamp',
      says: 'request-timestamp is no number of seconds.',
      advice: 'Send seconds since 1970, not milliseconds.',
    };
  return undefined;
}

/** A request that is signed well, and came too late or too early. @param at seconds since 1970 */
export function faultOfAge({ timestamp }: SignedRequest, at: number): RequestFault | undefined {
  const seconds = at - Number(timestamp);
  if (Math.abs(seconds) <= requestTolerance) return undefined;
  const when = seconds > 0 ? `${seconds} seconds before it came` : `${-seconds} seconds after it came`;
  return {
    mistake: 'age',
    says: `Everything else is right, but it was signed ${when}; the checkout accepts ${requestTolerance}.`,
    advice: 'Set the clock, and sign each sending anew, a repeat too. Of a request that was kept, give --at.',
  };
}

/** The signed parts of a request, one of which may be replaced to find a mistake. */
interface Parts {
  readonly id: string;
  readonly timestamp: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** Whether one of the signatures covers these parts. */
export function isSignedAs(secret: string, { signature }: SignedRequest, parts: Parts): boolean {
  const made = requestSignature(secret, { ...parts, body: new TextEncoder().encode(parts.body) });
  return signature.split(' ').includes(made);
}

/** The parts of a request as the checkout reads it. */
export const partsOf = ({ id, timestamp, path, body }: SignedRequest): Parts => ({
  id,
  timestamp,
  method: 'POST',
  path,
  body,
});

/** The part that was another one when a request was signed, as far as trying finds it. */
export function faultOfSignature(secret: string, request: SignedRequest): RequestFault | undefined {
  const parts = partsOf(request);
  const changed = [...pathFaults(request), ...methodFaults(), ...bodyFaults(request), ...timeFaults(request)];
  const found = changed.find(({ change }) => isSignedAs(secret, request, { ...parts, ...change }));
  return found ?? textFaults(secret, parts).find(({ made }) => request.signature.split(' ').includes(made));
}

type Changed = RequestFault & { readonly change: Partial<Parts> };

const CALLS = [
  '/session',
  '/session/token',
  '/payment/status',
  ...MODIFICATION_ROUTES.map(({ path }) => path),
  '/payment/recurring',
  '/payment/retry',
  '/payment/card/credit',
];
const PATHS = [...CALLS.map((path) => `/api/v1${path}`), '/post', '/post-va'];

function pathFaults({ path }: SignedRequest): Changed[] {
  const [plain = ''] = path.split('?');
  const others = [
    plain,
    `${plain}/`,
    withoutTrailingSlashes(plain),
    plain.slice(1),
    plain.replace(/^\/[^/]+/, ''),
    ...PATHS,
    '',
  ];
  return others
    .filter((other) => other !== path)
    .map((other) => ({
      mistake: 'path',
      says: other === '' ? 'The signature covers no path.' : `The signature covers the path ${other}, not ${path}.`,
      advice: 'Sign what stands behind the address of the checkout, from its "/" on and with the query.',
      change: { path: other },
    }));
}

const methodFaults = (): Changed[] =>
  ['post', 'GET', 'PUT', ''].map((method) => ({
    mistake: 'method',
    says: `The signature covers the method "${method}".`,
    advice: 'Sign POST, in upper case.',
    change: { method },
  }));

const bodyFaults = ({ body }: SignedRequest): Changed[] =>
  [...otherBodies(body), ['left out', ''] as const].map(([says, other]) => ({
    mistake: 'body-changed',
    says: `The signature covers the body ${says}.`,
    advice: 'Make the text once, and sign and send the same bytes.',
    change: { body: other },
  }));

const timeFaults = ({ timestamp }: SignedRequest): Changed[] =>
  [`${timestamp}000`, ''].map((other) => ({
    mistake: 'timestamp',
    says: `The signature covers another time${other === '' ? '' : ` (${other})`}.`,
    advice: 'Sign request-timestamp as it stands in its header: seconds since 1970.',
    change: { timestamp: other },
  }));

/** The right parts, written or signed in another way. */
function textFaults(secret: string, { id, timestamp, method, path, body }: Parts): (RequestFault & { made: string })[] {
  const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
  const right = `${id}.${timestamp}.${method} ${path}\n${body}`;
  const separators = ['', ' ', '.', '\r\n', '\n\n'].map((between) => ({
    mistake: 'separator',
    says: 'Between path and body stands something else than one line feed.',
    advice: 'Sign "<id>.<timestamp>.POST <path>", one line feed, and the body.',
    made: `v1,${mac(bytes, `${id}.${timestamp}.${method} ${path}${between}${body}`).digest('base64')}`,
  }));
  return [
    ...separators,
    {
      mistake: 'path',
      says: 'The signature covers no method and no path, like the signature of a callback.',
      advice: 'Sign "<id>.<timestamp>.POST <path>", one line feed, and the body.',
      made: `v1,${mac(bytes, `${id}.${timestamp}.${body}`).digest('base64')}`,
    },
    ...[secret, secret.replace(/^whsec_/, '')].map((key) => ({
      mistake: 'key-not-decoded',
      says: 'The key was the text of the secret.',
      advice: 'Take what follows "whsec_" out of Base64 and use its bytes as the key.',
      made: `v1,${mac(key, right).digest('base64')}`,
    })),
    ...[mac(bytes, right).digest('base64'), `v1,${mac(bytes, right).digest('hex')}`].map((made) => ({
      mistake: 'encoding',
      says: 'The signature is not "v1," and Base64.',
      advice: 'Write the signature in Base64 after "v1,".',
      made,
    })),
  ];
}
