import type { Check } from './check.ts';
import { answerChecks } from './checks/answers.ts';
import { authenticationChecks } from './checks/authentications.ts';
import { cardBrandChecks } from './checks/card-brands.ts';
import { coverageChecks } from './checks/coverage.ts';
import { crashChecks } from './checks/crash.ts';
import { deletionChecks } from './checks/deletions.ts';
import { determinismChecks } from './checks/determinism.ts';
import { endChecks } from './checks/ends.ts';
import { exampleChecks } from './checks/examples.ts';
import { foreignNotificationChecks } from './checks/foreign-notifications.ts';
import { goldenSourceChecks } from './checks/golden-sources.ts';
import { goldenChecks } from './checks/goldens.ts';
import { incompleteLookupChecks } from './checks/incomplete-lookups.ts';
import { lateEndChecks } from './checks/late-ends.ts';
import { lateModificationChecks } from './checks/late-modifications.ts';
import { lesserReplyChecks } from './checks/lesser-replies.ts';
import { limitChecks } from './checks/limits.ts';
import { modificationAmountChecks } from './checks/modification-amounts.ts';
import { moneyChecks } from './checks/money.ts';
import { notificationAddressChecks } from './checks/notification-address.ts';
import { notificationBodyChecks } from './checks/notification-bodies.ts';
import { notificationEventChecks } from './checks/notification-events.ts';
import { notificationStateChecks } from './checks/notification-states.ts';
import { notificationChecks } from './checks/notifications.ts';
import { proofVectorChecks } from './checks/proof-vectors.ts';
import { purityChecks } from './checks/purity.ts';
import { readAmountChecks } from './checks/read-amounts.ts';
import { refundEventChecks } from './checks/refund-events.ts';
import { refundReferenceChecks } from './checks/refund-references.ts';
import { repeatChecks } from './checks/repeats.ts';
import { refusedRepeatChecks } from './checks/refused-repeats.ts';
import { replyChecks } from './checks/replies.ts';
import { schemaChecks } from './checks/schema.ts';
import { secretChecks } from './checks/secrets.ts';
import { settingsChecks } from './checks/settings.ts';
import { shownEndChecks } from './checks/shown-ends.ts';
import { statusChecks } from './checks/statuses.ts';
import { takenBeforeChecks } from './checks/taken-before.ts';
import { trustChecks } from './checks/trust.ts';
import { unreadSecretChecks } from './checks/unread-secrets.ts';
import { withdrawalChecks } from './checks/withdrawals.ts';

/** Every check under its subject, in the order in which they run: what a connector declares first, how it behaves afterwards. */
export const SUBJECTS: Readonly<Record<string, readonly Check[]>> = {
  schema: [...schemaChecks, ...deletionChecks],
  settings: settingsChecks,
  limits: limitChecks,
  statuses: statusChecks,
  examples: [...exampleChecks, ...shownEndChecks, ...lesserReplyChecks, ...incompleteLookupChecks, ...endChecks],
  goldens: [...goldenChecks, ...goldenSourceChecks],
  answers: answerChecks,
  determinism: determinismChecks,
  purity: purityChecks,
  replies: replyChecks,
  crash: crashChecks,
  repeats: [...repeatChecks, ...refusedRepeatChecks, ...takenBeforeChecks],
  notifications: [
    ...notificationAddressChecks,
    ...notificationChecks,
    ...proofVectorChecks,
    ...notificationStateChecks,
    ...notificationBodyChecks,
    ...foreignNotificationChecks,
    ...notificationEventChecks,
    ...refundEventChecks,
    ...lateModificationChecks,
    ...lateEndChecks,
    ...withdrawalChecks,
  ],
  authentication: authenticationChecks,
  'card brands': cardBrandChecks,
  money: [...moneyChecks, ...readAmountChecks, ...modificationAmountChecks, ...refundReferenceChecks, ...trustChecks],
  secrets: [...secretChecks, ...unreadSecretChecks],
  coverage: coverageChecks,
};
