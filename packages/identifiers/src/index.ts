export { checkCnpj, isCnpj, normaliseCnpj } from './cnpj.ts';
export type { CnpjCheck } from './cnpj.ts';
export { checkCpf, isCpf, normaliseCpf } from './cpf.ts';
export type { CpfCheck } from './cpf.ts';
export { parsePixKey, pixKeyLengths, toDirectoryKey } from './pix-key.ts';
export type { PixKey, PixKeyFault, PixKeyResult, PixKeyType } from './pix-key.ts';
export { buildBrCode, parseBrCode, toBrCodeText } from './br-code.ts';
export type {
  BrCode,
  BrCodeBuildResult,
  BrCodeFailure,
  BrCodeInput,
  BrCodeResult,
  DynamicBrCode,
  RecurrenceBrCode,
  StaticBrCode,
} from './br-code.ts';
export { barePhone, isPhoneOf, maskedPhone, phoneFormats, toE164, withoutPlus } from './phone.ts';
export type { PhoneCountry, PhoneFormat } from './phone.ts';
export { checkBitcoinAddress } from './bitcoin-address.ts';
export type { AddressFailure, AddressFault, BitcoinAddress, ChainNetwork } from './bitcoin-address.ts';
export { checkBitcoinCashAddress } from './bitcoin-cash-address.ts';
export type { BitcoinCashAddress } from './bitcoin-cash-address.ts';
export { checkEvmAddress } from './evm-address.ts';
export type { EvmAddress } from './evm-address.ts';
export { checkTronAddress } from './tron-address.ts';
export type { TronAddress } from './tron-address.ts';
