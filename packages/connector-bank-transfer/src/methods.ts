export { bankBeneficiary } from './methods/beneficiary.ts';
export { bankRedirect } from './methods/by-country.ts';
export {
  bankOfflineAr,
  bankOfflineCl,
  bankOfflinePe,
  bankOfflinePy,
  debin,
  mobilePullPe,
  servicePaymentPe,
} from './methods/collections.ts';
export { bankDeposit } from './methods/deposit.ts';
export { bankAccount, bankAr, bankCodeTr, bankMx, ibanTr, qrTh, walletTh, walletTr } from './methods/gateway.ts';
export { bankWithdrawal } from './methods/bank-withdrawal.ts';
export { disbursement } from './methods/disbursement.ts';
export { ipsQr } from './methods/ips.ts';
