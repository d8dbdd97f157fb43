import {
  type Answer,
  duplicateAnswer,
  type ErrorBody,
  issue,
  type Issue,
  parseSession,
  TEXTS,
  type ValidationBody,
  validationAnswer,
  verifySessionSignature,
} from '@railyard/core';
import type { ServiceContext } from '../service-context.ts';
import { usableRoutes } from './open-session.ts';

export interface SessionBody {
  readonly redirect_url: string;
  /** Check digits that look wrong and the like: nothing that stops the payment. */
  readonly warnings?: readonly { readonly error_code: number; readonly error_message: string }[];
}

/**
 * Creates a session from the body of `POST /api/v1/session`: fields, then hash, then the merchant's methods, then the duplicate
 * window, then stored (decision: order of checks). Which methods and aliases a merchant has is told to nobody who cannot sign
 * for it. Only an accepted request arms the window.
 */
export async function createSession(
  context: ServiceContext,
  text: string,
): Promise<Answer<SessionBody | ValidationBody | ErrorBody>> {
  const input = readJson(text);
  if (input === undefined) return validationAnswer([issue('body', TEXTS.type('object'))]);
  const today = new Date(context.now()).toISOString().slice(0, 10);
  const parsed = parseSession(input, { today, openAmount: () => true });
  if (!parsed.ok) return validationAnswer(parsed.issues);
  const merchant = context.directory.find(parsed.session.merchant_key);
  const config = merchant?.merchant.config;
  const signature = verifySessionSignature(parsed.session, {
    password: config?.password,
    digest: config?.digest ?? 'both',
  });
  if (!signature.ok || merchant === undefined) return validationAnswer([issue('hash', TEXTS.hash)]);
  const { profile } = merchant.merchant;
  const checked = context.directory.registry.validate(input, { today, profile });
  if (!checked.ok) return validationAnswer(checked.issues);
  const { session, warnings } = checked;
  if (usableRoutes(context, merchant.merchant, session).length === 0)
    return validationAnswer([
      issue('methods', `${TEXTS.choice} No method takes this request; see its currency and amount.`),
    ]);
  const id = context.newId();
  const token = context.pageTokens.of(id);
  const stored = await context.stores.sessions.create({
    id,
    merchantKey: merchant.merchant.config.key,
    operation: session.operation,
    orderNumber: session.order.number,
    tokenHash: context.pageTokens.hash(token),
    requestText: text,
    hashDialect: signature.dialect === 'either' ? 'ascii' : signature.dialect,
    hashDigest: signature.digest,
    test: merchant.test,
    lifetimeMinutes: session.session_expiry,
  });
  if (stored.result === 'duplicate') return duplicateAnswer();
  context.log.info({ event: 'session-created', session: id, operation: session.operation, test: merchant.test });
  const redirect_url = `${context.config.publicUrl.replace(/\/+$/, '')}/auth/${token}`;
  return { status: 200, body: { redirect_url, ...(warnings.length > 0 && { warnings: warnings.map(warningOf) }) } };
}

const warningOf = ({ code, path, message }: Issue) => ({ error_code: code, error_message: `${path}: ${message}` });

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
