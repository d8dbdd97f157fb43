export { addressesConnector } from './addresses/connector.ts';
export { assets } from './assets.ts';
export { gatewayConnector } from './gateway/connector.ts';
export {
  conversionToCoin,
  cryptoConversion,
  cryptoReceive,
  cryptoReceiveFiat,
  cryptoWallet,
  tradingDeposit,
  tradingWithdrawal,
} from './methods.ts';
