export { type CallbackWords, callbackWords, statusWord } from './callback.ts';
export { decide, type Decision, type PaymentChange, type PaymentState } from './decide.ts';
export { isFinal, type Move, MOVES, PAYMENT_STATES, type PaymentStateName } from './states.ts';
