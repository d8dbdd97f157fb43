export { type CheckoutConfig, ConfigError } from './config/config.ts';
export { createLog, type Log } from './log.ts';
export { type Checkout, type CheckoutOptions, startCheckout } from './service.ts';
