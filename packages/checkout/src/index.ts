export type { CallbackOperator, CallbackQuery } from './callbacks/operator.ts';
export type { GivenCatalogue } from './config/catalogue-schema.ts';
export type { CheckoutConfig } from './config/config.ts';
export { configProblems } from './config/config-problems.ts';
export { ConfigError } from './config/problems.ts';
export { createLog, type Log } from './log.ts';
export type { ActionOperator, FoundOut, ResolvedAction } from './payments/operator.ts';
export { type Checkout, type CheckoutOptions, startCheckout, type StopOptions } from './service.ts';
export type { ListedCallback, ResumedAddress } from './storage/index.ts';
