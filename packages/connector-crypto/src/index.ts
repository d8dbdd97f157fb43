export { addressesConnector } from './addresses.ts';
export { assets } from './assets.ts';
export { btcpayConnector } from './btcpay.ts';
export { gatewayConnector } from './gateway.ts';
export {
  bitcoinBtcpay,
  conversionToCoin,
  cryptoConversion,
  cryptoReceive,
  cryptoReceiveFiat,
  cryptoWallet,
  tradingDeposit,
  tradingWithdrawal,
} from './methods.ts';
