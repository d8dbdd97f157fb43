export { addressesConnector } from './addresses.ts';
export { assets } from './assets.ts';
export { gatewayConnector } from './gateway.ts';
export {
  conversionToCoin,
  cryptoConversion,
  cryptoReceive,
  cryptoReceiveFiat,
  cryptoWallet,
  tradingDeposit,
  tradingWithdrawal,
} from './methods.ts';
