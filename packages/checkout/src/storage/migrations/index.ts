import type { Migration } from 'kysely/migration';
import { sessions } from './0001-sessions.ts';
import { payments } from './0002-payments.ts';
import { flowRuns } from './0003-flow-runs.ts';
import { notifications } from './0004-notifications.ts';
import { callbacks } from './0005-callbacks.ts';
import { oneRenewal } from './0006-one-renewal.ts';
import { states } from './0008-states.ts';
import { callbackAddresses } from './0009-callback-addresses.ts';
import { idempotencyKeys } from './0010-idempotency-keys.ts';
import { configurations } from './0011-configurations.ts';
import { findings } from './0012-findings.ts';
import { actions } from './0013-actions.ts';
import { openActions } from './0017-open-actions.ts';
import { cards } from './0030-cards.ts';
import { charges } from './0040-charges.ts';
import { cascading } from './0050-cascading.ts';
import { commandCallbacks } from './0060-command-callbacks.ts';
import { digitalWallets } from './0070-digital-wallets.ts';
import { runBeats } from './0081-run-beats.ts';
import { lateAndPartialMoney } from './0083-late-and-partial-money.ts';
import { formerPayments } from './0085-former-payments.ts';
import { requestSignatures } from './0086-request-signatures.ts';
import { retention } from './0089-retention.ts';
import { journalOrder } from './0090-journal-order.ts';
import { payerPresence } from './0091-payer-presence.ts';
import { declineCodes } from './0092-decline-codes.ts';
import { references } from './0095-references.ts';
import { names } from './0100-names.ts';
import { connectorValues } from './0110-connector-values.ts';
import { lateResults } from './0111-late-results.ts';
import { notificationRequests } from './0112-notification-requests.ts';
import { waitingCallbacks } from './0113-waiting-callbacks.ts';
import { waitingLookups } from './0114-waiting-lookups.ts';
import { modificationLookups } from './0115-modification-lookups.ts';
import { overtakenRuns } from './0116-overtaken-runs.ts';
import { schedules } from './0130-schedules.ts';
import { replyDrift } from './0140-reply-drift.ts';
import { chains } from './0150-chains.ts';
import { testClocks } from './0160-test-clocks.ts';
import { inParts } from './0170-in-parts.ts';
import { roomOnPages } from './0180-room-on-pages.ts';
import { addressesOfMerchants } from './0190-addresses-of-merchants.ts';
import { unknownOutcomes } from './0191-unknown-outcomes.ts';
import { holdersOfTokens } from './0192-holders-of-tokens.ts';
import { paidBy } from './0193-paid-by.ts';

/** Every migration by name, in order. A list of imports, so that a bundle carries them. A released one is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-sessions': sessions,
  '0002-payments': payments,
  '0003-flow-runs': flowRuns,
  '0004-notifications': notifications,
  '0005-callbacks': callbacks,
  '0006-one-renewal': oneRenewal,
  '0008-states': states,
  '0009-callback-addresses': callbackAddresses,
  '0010-idempotency-keys': idempotencyKeys,
  '0011-configurations': configurations,
  '0012-findings': findings,
  '0013-actions': actions,
  '0017-open-actions': openActions,
  '0030-cards': cards,
  '0040-charges': charges,
  '0050-cascading': cascading,
  '0060-command-callbacks': commandCallbacks,
  '0070-digital-wallets': digitalWallets,
  '0081-run-beats': runBeats,
  '0083-late-and-partial-money': lateAndPartialMoney,
  '0085-former-payments': formerPayments,
  '0086-request-signatures': requestSignatures,
  '0089-retention': retention,
  '0090-journal-order': journalOrder,
  '0091-payer-presence': payerPresence,
  '0092-decline-codes': declineCodes,
  '0095-references': references,
  '0100-names': names,
  '0110-connector-values': connectorValues,
  '0111-late-results': lateResults,
  '0112-notification-requests': notificationRequests,
  '0113-waiting-callbacks': waitingCallbacks,
  '0114-waiting-lookups': waitingLookups,
  '0115-modification-lookups': modificationLookups,
  '0116-overtaken-runs': overtakenRuns,
  '0130-schedules': schedules,
  '0140-reply-drift': replyDrift,
  '0150-chains': chains,
  '0160-test-clocks': testClocks,
  '0170-in-parts': inParts,
  '0180-room-on-pages': roomOnPages,
  '0190-addresses-of-merchants': addressesOfMerchants,
  '0191-unknown-outcomes': unknownOutcomes,
  '0192-holders-of-tokens': holdersOfTokens,
  '0193-paid-by': paidBy,
};
