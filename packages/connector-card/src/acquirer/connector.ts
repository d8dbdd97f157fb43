import { defineConnector } from '@railyard/core';
import { applePay, card, cardRedirect, cardRedirectAlt, googlePay } from '../methods.ts';
import { version } from '../version.ts';
import { capture, recurring, refund, voidPayment } from './actions.ts';
import { endpoints } from './endpoints.ts';
import { credit, debit, purchase, transfer, walletPurchase } from './flows.ts';
import { digitalWalletPurchase } from './digital-wallet-flow.ts';
import { modificationStatus, status } from './lookups.ts';
import { notifications } from './notifications.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

const actions = {
  refund: { partial: true, flow: refund },
  void: voidPayment,
  status,
  modificationStatus,
};

/** Operations that need the card of a wallet are refused where the acquirer got the token unopened. */
const digitalWallet = {
  purchase: digitalWalletPurchase,
  capture: { partial: true, flow: capture },
  recurring,
  ...actions,
};

/** Cards at an acquirer, and two wallets that pay by card. */
export const acquirerConnector = defineConnector({
  id: 'card-acquirer',
  contract: 1,
  version,
  title: 'Cards, acquirer',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints,
  statuses,
  serves: (serve) => [
    serve(card, {
      purchase,
      debit,
      credit,
      transfer,
      capture: { partial: true, flow: capture },
      recurring,
      ...actions,
    }),
    serve(applePay, digitalWallet),
    serve(googlePay, digitalWallet),
    serve(cardRedirect, { purchase: walletPurchase('WALLET_A'), ...actions }),
    serve(cardRedirectAlt, { purchase: walletPurchase('WALLET_B'), ...actions }),
  ],
  notifications,
});
