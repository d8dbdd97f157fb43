export { mobileMoneyGsma } from './methods/mobile-money-gsma.ts';
export {
  mobileMoneyBeninA,
  mobileMoneyBeninB,
  mobileMoneyTogoA,
  mobileMoneyTogoB,
} from './methods/mobile-money-networks.ts';
export { mobileMoneyOtp } from './methods/mobile-money-otp.ts';
export { mobileMoneyPaystack } from './methods/mobile-money-paystack.ts';
export { mobileMoneyUganda } from './methods/mobile-money-uganda.ts';
export { mobileMoney } from './methods/mobile-money.ts';
