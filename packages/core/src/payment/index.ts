export {
  ACTION_NAMES,
  ACTION_STATES,
  ACTION_TRANSITIONS,
  type ActionName,
  type ActionRow,
  ACTIONS,
  type ActionStateName,
  isOpenAction,
  LEGAL_ACTION_MOVES,
} from './actions.ts';
export { actionWords, type CallbackWords, callbackWords, type OrderStatus, statusWord } from './callback.ts';
export {
  type ActionDecision,
  type ActionRefusal,
  type ActionRequest,
  type ActionRequested,
  type ActionState,
  decideAction,
  requestAction,
} from './decide-action.ts';
export { decide, type PaymentChange } from './decide.ts';
export { type Decision, type Via } from './decision.ts';
export { type PaymentNews } from './news.ts';
export { approvedAmount } from './partial.ts';
export { type ExclusiveAction, newPayment, type PaymentState, refundable } from './state.ts';
export {
  type Happening,
  isFinal,
  LEGAL_MOVES,
  type Move,
  MOVES,
  PAYMENT_STATES,
  type PaymentStateName,
  TRANSITIONS,
  type TransitionRow,
} from './transitions.ts';
export { type TransactionStatus, type TransactionWords, transactionWords } from './transaction-words.ts';
