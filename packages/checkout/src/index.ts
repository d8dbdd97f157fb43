export type { CallbackOperator, CallbackQuery } from './callbacks/delivery/operator.ts';
export type { GivenCatalogue } from './deployment/catalogue-schema.ts';
export type { CheckoutConfig } from './deployment/config.ts';
export { storedDrift } from './commands/stored-drift.ts';
export { configProblems } from './merchants/config-problems.ts';
export { ConfigError } from './deployment/problems.ts';
export { createLog, type Log, standardLog } from './log/log.ts';
export type {
  ModificationOperator,
  FoundOut,
  ResolvedModification,
} from './payments/operators/modification-operator.ts';
export type { FoundOutcome, PaymentOperator, ResolvedPayment } from './payments/operators/payment-operator.ts';
export { type Checkout, type CheckoutOptions, startCheckout, type StopOptions } from './service/service.ts';
export type { LeftPayment, ListedCallback, ResumedAddress } from './storage/index.ts';
