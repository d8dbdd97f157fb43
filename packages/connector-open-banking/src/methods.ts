export { onlineBankTransfer } from './methods/online-bank-transfer.ts';
export { openBanking } from './methods/open-banking.ts';
