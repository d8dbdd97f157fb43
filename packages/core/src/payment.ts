export { addMoney, subtractMoney } from './money/arithmetic.ts';
export { formatDecimals } from './money/money.ts';
export {
  type AmountFlowName,
  type ExclusiveModification,
  isExclusive,
  MODIFICATION_NAMES,
  MODIFICATION_ROUTES,
  MODIFICATION_STATES,
  MODIFICATION_TRANSITIONS,
  type ModificationAction,
  type ModificationCallback,
  type ModificationFlowName,
  type ModificationName,
  modificationFlows,
  modificationWith,
  type ModificationPart,
  type ModificationPath,
  type ModificationRow,
  MODIFICATIONS,
  type ModificationStateName,
  isOpenModification,
  LEGAL_MODIFICATION_MOVES,
  type WholeFlowName,
} from './payment/modifications.ts';
export {
  CALLBACK_STATUSES,
  CALLBACK_TYPES,
  modificationWords,
  type CallbackWords,
  callbackWords,
  ORDER_STATUS_WORDS,
  type OrderStatus,
  statusWord,
} from './payment/callback.ts';
export {
  type ModificationDecision,
  type ModificationRefusal,
  type ModificationRequest,
  type ModificationRequested,
  type ModificationState,
  decideModification,
  requestModification,
} from './payment/decide-modification.ts';
export { decide, type End, inState, type PaymentChange } from './payment/decide.ts';
export type { Decision, Via } from './payment/decision.ts';
export { EXCHANGE_FIELDS, FACTS, type FactName, knownFacts, mergeFacts, sameFacts } from './payment/facts.ts';
export type { UnsolicitedEvent } from './payment/unsolicited-events.ts';
export {
  type AuthenticationName,
  type AuthenticationValues,
  BROWSER_FIELDS,
  COMMAND_PAYER_FIELDS,
  OPTIONAL_FIELDS,
  type OptionalField,
  type OptionalFields,
  PAYER_FIELDS,
  REFERENCE_FIELDS,
  ROUTE_FIELDS,
  STORED_CARD_FIELDS,
  THREE_D_SECURE_FIELDS,
} from './payment/optional-fields.ts';
export { approvedAmount } from './payment/partial.ts';
export { byName } from './payment/state-names.ts';
export { newPayment, type PaymentState, refundable } from './payment/state.ts';
export {
  TRANSACTION_RESULTS,
  TRANSACTION_STATUSES,
  type TransactionStatus,
  type TransactionWords,
  transactionWords,
} from './payment/transaction-words.ts';
export {
  type PaymentEvent,
  isFinal,
  LEGAL_MOVES,
  type Move,
  MOVES,
  PAYMENT_STATES,
  type PaymentStateName,
  type TransitionRow,
  TRANSITIONS,
} from './payment/transitions.ts';
