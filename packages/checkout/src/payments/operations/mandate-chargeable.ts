import {
  type Answer,
  type ErrorBody,
  refusedAnswer,
  type SessionRequest,
  type ValidationBody,
  validationAnswer,
} from '@railyard/core/protocol';
import { breach, scopeOf } from '@railyard/core/registry';
import type { Merchant } from '../../merchants/directory.ts';
import type { OperationDeps } from './deps.ts';
import type { Payment } from '../../storage/index.ts';

/**
 * Why a mandate is not charged, or a charge of it not tried again: its account must still be the merchant's, and take the amount.
 *
 * @param first the first payment of the mandate
 * @param request that of the charge
 */
export function whyNotChargeable(
  { directory }: OperationDeps,
  { profile: { methods } }: Merchant,
  first: Payment,
  request: SessionRequest,
): Answer<ValidationBody | ErrorBody> | undefined {
  const methodConfigs = Object.values(methods).flatMap((entry) => [entry, ...(entry.more ?? [])]);
  const profile = methodConfigs.find(({ mid, method }) => mid === first.midId && method === first.method);
  const method = directory.registry.find(first.method);
  const mid = directory.mid(first.midId);
  const isSameConnector = mid?.connector.id === first.connectorId;
  // Protocol: MID Payment Mode; other than a first payment, a charge cannot go to another account.
  const holdsNothing = request.auth && mid?.config.mode === 'SMS';
  if (profile === undefined || method === undefined || !isSameConnector || holdsNothing || request.amount === 'payer')
    return refusedAnswer('Payment action not supported.', 204005);
  const issues = breach(method, first.operation, request.amount, scopeOf(request, first.methodAlias), { profile });
  return issues.length === 0 ? undefined : validationAnswer(issues);
}
