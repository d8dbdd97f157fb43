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
export { isE164, isPhoneOf, maskedPhone, phoneFormats, withoutPlus } from './phone.ts';
export type { PhoneCountry, PhoneFormat } from './phone.ts';
export { checkBitcoinAddress } from './bitcoin-address.ts';
export type { AddressFailure, AddressFault, BitcoinAddress, ChainNetwork } from './bitcoin-address.ts';
export { checkBitcoinCashAddress } from './bitcoin-cash-address.ts';
export type { BitcoinCashAddress } from './bitcoin-cash-address.ts';
export { checkEvmAddress } from './evm-address.ts';
export type { EvmAddress } from './evm-address.ts';
export { checkTronAddress } from './tron-address.ts';
export type { TronAddress } from './tron-address.ts';
export { isAba } from './aba.ts';
export { isBic, normaliseBic } from './bic.ts';
export { blzLength, isBlz } from './blz.ts';
export { isBsb, normaliseBsb } from './bsb.ts';
export { isCbu, isCbuAlias } from './cbu.ts';
export { isCci } from './cci.ts';
export { isCuit, normaliseCuit } from './cuit.ts';
export { isCurp } from './curp.ts';
export { isPeruvianDni } from './dni.ts';
export { isColombianNit } from './nit.ts';
export { isPeruvianRuc } from './ruc.ts';
export { isRut, normaliseRut } from './rut.ts';
export { isTckn } from './tckn.ts';
export { isUpiAddress } from './upi-address.ts';
export { isCardNumber, isMaskedCardNumber } from './card-number.ts';
export { checkClabe, isClabe } from './clabe.ts';
export type { ClabeCheck } from './clabe.ts';
export { countryOfIban, isBban, isIban, normaliseIban } from './iban.ts';
export { isIfsc } from './ifsc.ts';
export { isNcc, nccDigits } from './ncc.ts';
export { isSortCode, normaliseSortCode } from './sort-code.ts';
export { buildIpsQr, parseIpsQr } from './ips-qr.ts';
export type { IpsQr, IpsQrBuildResult, IpsQrFailure, IpsQrKind, IpsQrResult } from './ips-qr.ts';
