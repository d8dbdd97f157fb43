export {
  bankOfflineAr,
  bankOfflineCl,
  bankOfflinePe,
  bankOfflinePy,
  debin,
  mobilePullPe,
  servicePaymentPe,
} from './methods/collections.ts';
export { bankAccount, bankAr, bankCodeTr, bankMx, ibanTr, qrTh, walletTh, walletTr } from './methods/gateway.ts';
