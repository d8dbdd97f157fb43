import { paymentsOf } from '../../../runtime/test/support/exchange.ts';
import { registry, today } from './sessions.ts';

export { exchange, NOW, OURS, outcomeOf, type Script } from '../../../runtime/test/support/exchange.ts';
export const { paymentOf, lookedUp } = paymentsOf(registry, today);
