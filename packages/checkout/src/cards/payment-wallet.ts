import type { PaymentWallet } from '@railyard/core';
import { CardHandle } from '@railyard/core/driver';
import type { Payment } from '../storage/index.ts';
import type { WalletFlow } from './wallet-flow.ts';

/** The wallet of a payment as its flow sees it: handles for all that is held in memory alone. */
export function paymentWallet(
  { digitalWallet, panType }: Pick<Payment, 'digitalWallet' | 'panType'>,
  { flow, eci }: { readonly flow: WalletFlow; readonly eci: boolean },
): PaymentWallet {
  return {
    kind: digitalWallet ?? '',
    ...(panType !== null && { panType }),
    ...(flow !== 'card' && { token: new CardHandle('wallet-token') }),
    ...(flow === 'card' && panType === 'dpan' && { cryptogram: new CardHandle('cryptogram') }),
    ...(flow === 'card' && eci && { eci: new CardHandle('eci') }),
  };
}
