export { applePayWallet } from './wallet-tokens/apple-wallet.ts';
export { googlePayWallet } from './wallet-tokens/google-wallet.ts';
export { merchantIdHashOf } from './wallet-tokens/apple-certificates.ts';
export { applePayTokenId, type AppleKey, type ApplePayOptions, openApplePayToken } from './wallet-tokens/apple-pay.ts';
export { APPLE_ROOT_CA_G3 } from './wallet-tokens/apple-root.ts';
export { GOOGLE_TEST_ROOT_KEYS, type GoogleRootKey, googleRootKeys } from './wallet-tokens/google-keys.ts';
export {
  type GoogleAuthMethod,
  googlePayTokenId,
  type GooglePayOptions,
  openGooglePayMessage,
  openGooglePayToken,
} from './wallet-tokens/google-pay.ts';
export { readPrivateKey } from './wallet-tokens/private-key.ts';
export { WALLET_REFUSALS, type WalletRefusal, WalletTokenRefused } from './wallet-tokens/refusals.ts';
