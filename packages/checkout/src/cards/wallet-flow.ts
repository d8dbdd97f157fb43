import type { Route } from '../merchants/directory.ts';
import type { MerchantWallet } from '../merchants/wallets.ts';

/**
 * The handling of a wallet's token. `virtual`: it goes to the provider as it came, and nothing is kept. `card`: it is opened,
 * and its card is a card like any other. `forwarded`: it is opened and its card kept, and the token goes to the provider.
 */
export type WalletFlow = 'virtual' | 'card' | 'forwarded';

export interface WalletFacts {
  /** The merchant has given the key that opens tokens. */
  readonly hasKey: boolean;
  /** The account's provider keeps cards of wallets: holds, charges again. */
  readonly cardFlow: boolean;
  /** It takes the card of an opened token. */
  readonly takesDecrypted: boolean;
}

/** The protocol's decision (Digital wallet methods, rules 3 to 5; reference: decision table). */
export function walletFlow({ hasKey, cardFlow, takesDecrypted }: WalletFacts): WalletFlow {
  if (!hasKey || !cardFlow) return 'virtual';
  return takesDecrypted ? 'card' : 'forwarded';
}

/** The flow of a merchant's wallet at an account. */
export function flowAt(
  { method, mid }: Pick<Route, 'method' | 'mid'>,
  { wallet, settings }: MerchantWallet,
): WalletFlow {
  const said = mid.defaults[method.key]?.card_flow;
  return walletFlow({
    hasKey: wallet.decrypts(settings),
    cardFlow: said === 'decrypted' || said === 'token',
    takesDecrypted: said === 'decrypted',
  });
}

/** Of an account and an attempt: which other accounts could take the same card (rules 4 and 5: cascading). */
export const isRoutable = (flow: WalletFlow): boolean => flow === 'card';

/** Whether money can be held, and the card charged again (rule 3). */
export const keepsCard = (flow: WalletFlow): boolean => flow !== 'virtual';
