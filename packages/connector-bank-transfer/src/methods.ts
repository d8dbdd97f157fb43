export {
  bankOfflineAr,
  bankOfflineCl,
  bankOfflinePe,
  bankOfflinePy,
  debin,
  mobilePullPe,
} from './methods/collections.ts';
