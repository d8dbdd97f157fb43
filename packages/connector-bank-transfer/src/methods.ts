export {
  bankOfflineAr,
  bankOfflineCl,
  bankOfflinePe,
  bankOfflinePy,
  debin,
  mobilePullPe,
} from './methods/collections.ts';
export { bankAr, bankCodeTr, bankMx, walletTh, walletTr } from './methods/gateway.ts';
