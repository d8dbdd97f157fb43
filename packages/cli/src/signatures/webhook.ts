import { webhookSignature } from '@railyard/core/merchant';
import { createHmac } from 'node:crypto';
import { headersIn } from './headers.ts';

/** The headers of a callback that are signed, and their signatures (Standard Webhooks). */
export interface WebhookHeaders {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
}

/** Reads the headers of a callback. */
export function readHeaders(text: string): WebhookHeaders {
  const header = headersIn(text, ['webhook-id', 'webhook-timestamp']);
  return { id: header('webhook-id'), timestamp: header('webhook-timestamp'), signature: header('webhook-signature') };
}

export interface WebhookDiagnosis {
  readonly mistake: string;
  readonly says: string;
  readonly advice: string;
}

type Signed = Pick<WebhookHeaders, 'id' | 'timestamp'>;

/** The receiver's probable mistake because of which a genuine signature does not match. */
export function diagnoseWebhook(secret: string, headers: WebhookHeaders, body: string): WebhookDiagnosis | undefined {
  const given = headers.signature.split(' ');
  if (headers.signature === '')
    return {
      mistake: 'no-signature',
      says: 'There is no webhook-signature.',
      advice: 'Look for a proxy that removes headers.',
    };
  const matches = (signature: string) => given.includes(signature) || given.includes(signature.replace(/^v1,/, ''));
  return [...bodies(body), ...keys(secret), ...times(headers), ...parts()].find((each) => {
    const made = each.sign(secret, headers, body);
    return matches(made);
  });

  function parts(): Candidate[] {
    return [
      {
        mistake: 'body-alone',
        says: 'The signature covers the body alone.',
        advice: 'Sign "<webhook-id>.<webhook-timestamp>.<body>".',
        sign: (secret, _headers, body) => `v1,${createHmac('sha256', keyOf(secret)).update(body).digest('base64')}`,
      },
      {
        mistake: 'encoding',
        says: 'The signature is written in hex.',
        advice: 'Write the signature in Base64 after "v1,".',
        sign: (secret, { id, timestamp }, body) =>
          `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('hex')}`,
      },
    ];
  }
}

interface Candidate extends WebhookDiagnosis {
  readonly sign: (secret: string, headers: Signed, body: string) => string;
}

const keyOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

const standard = (secret: string, headers: Signed, body: string) =>
  webhookSignature(secret, headers, new TextEncoder().encode(body));

function bodies(body: string): Candidate[] {
  return otherBodies(body).map(([says, other]) => ({
    mistake: 'body-changed',
    says: `The signature covers the body ${says}.`,
    advice: 'Check the bytes as they came, before anything parses them or writes them again.',
    sign: (secret, headers) => standard(secret, headers, other),
  }));
}

/** The ways in which a body may be changed in transit, each with its name. */
export function otherBodies(body: string): (readonly [says: string, body: string])[] {
  const others: [string, string][] = [
    ['without the white space around it', body.trim()],
    ['with a line break at its end', `${body}\n`],
    ['with other line breaks', body.replace(/\r?\n/g, '\r\n')],
    ...rewritten(body),
  ];
  return others.filter(([, other]) => other !== body);
}

function rewritten(body: string): [string, string][] {
  try {
    const read: unknown = JSON.parse(body);
    return [
      ['written again as JSON', JSON.stringify(read)],
      ['written again as JSON with indents', JSON.stringify(read, undefined, 2)],
    ];
  } catch {
    return [['written again as a form', new URLSearchParams(body).toString()]];
  }
}

function keys(secret: string): Candidate[] {
  const sign =
    (key: string | Buffer) =>
    (_secret: string, { id, timestamp }: Signed, body: string) =>
      `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  const bare = secret.replace(/^whsec_/, '');
  return [secret, bare].map((key) => ({
    mistake: 'key-not-decoded',
    says: 'The key was the text of the secret.',
    advice: 'Take what follows "whsec_" out of Base64 and use its bytes as the key.',
    sign: sign(key),
  }));
}

function times({ timestamp }: Signed): Candidate[] {
  return [`${timestamp}000`, timestamp.slice(0, 10), ''].map((other) => ({
    mistake: 'timestamp',
    says: `The signature covers another time${other === '' ? '' : ` (${other})`}.`,
    advice: 'Sign webhook-timestamp as it stands in its header: seconds since 1970.',
    sign: (secret, { id }, body) => standard(secret, { id, timestamp: other }, body),
  }));
}
