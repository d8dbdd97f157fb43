export { gsmaConnector } from './gsma.ts';
export { hubConnector } from './hub.ts';
export { mobileMoneyLimits } from './limits.ts';
export {
  mobileMoney,
  mobileMoneyBeninA,
  mobileMoneyBeninB,
  mobileMoneyGsma,
  mobileMoneyOtp,
  mobileMoneyPaystack,
  mobileMoneyTogoA,
  mobileMoneyTogoB,
  mobileMoneyUganda,
} from './methods.ts';
export { narrativeConnector } from './narrative.ts';
export { operators } from './operators.ts';
export { promptConnector } from './prompt.ts';
export { paystackConnector } from './paystack.ts';
