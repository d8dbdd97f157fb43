import type { OpenSession } from '../../src/sessions/session.ts';
import { parseConfig } from '../../src/deployment/config.ts';
import { createDirectory } from '../../src/merchants/directory.ts';
import { anyMethodConfig } from './any-method-config.ts';
import { merchant, sessionBody } from './service.ts';

/** A session as the service reads it again, without a database. */
export function openSession(
  change: Readonly<Record<string, unknown>> = {},
  order: Readonly<Record<string, string>> = {},
): OpenSession {
  const config = anyMethodConfig({
    providerUrl: 'https://provider.example',
    callbackUrl: 'https://shop.example/c',
    port: 0,
  });
  const directory = createDirectory(parseConfig(config));
  const found = directory.find(merchant.key)?.merchant;
  if (found === undefined) throw new Error('The merchant is not configured.');
  const body = sessionBody({ methods: ['card'], ...change }, order);
  const checked = directory.registry.validate(body, { today: '2026-11-21', profile: found.profile });
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
  const stored: OpenSession['stored'] = {
    id: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
    merchantKey: merchant.key,
    operation: 'purchase',
    orderNumber: checked.session.order.number,
    tokenHash: '',
    requestText: JSON.stringify(body),
    hashDialect: 'ascii',
    hashDigest: 'md5',
    test: false,
    payerPresence: 'page',
    state: 'open',
    livePaymentId: null,
    paidPaymentId: null,
    entryId: null,
    entryText: null,
    attempts: 0,
    createdAt: new Date(0),
    expiresAt: new Date(3_600_000),
    closedAt: null,
    erasedAt: null,
  };
  return { stored, request: checked.session, merchant: found, routes: [] };
}
