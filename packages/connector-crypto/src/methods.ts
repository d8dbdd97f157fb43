export { bitcoinBtcpay } from './methods/bitcoin-btcpay.ts';
export { conversionToCoin, cryptoConversion } from './methods/conversion.ts';
export { cryptoReceive, cryptoReceiveFiat } from './methods/crypto-receive.ts';
export { cryptoWallet } from './methods/crypto-wallet.ts';
export { tradingDeposit, tradingWithdrawal } from './methods/trading.ts';
