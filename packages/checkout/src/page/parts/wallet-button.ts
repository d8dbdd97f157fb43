import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import type { PageMethod, WalletForm } from '../model.ts';
import { messageIn } from '../texts/index.ts';
import { said, type Page } from '../view.ts';

/** The button of a digital wallet. It is seen once its script knows that the device has the wallet; until then the page says that it has not. */
export function walletButton(page: Page, { key, title }: PageMethod, wallet: WalletForm): Markup {
  const name = said(page, title);
  const { texts, wording, model } = page;
  if (wallet.button === undefined) return html`<p class="lead">${messageIn(page, wallet.problem)}</p>`;
  return html`<input type="hidden" name="wallet_token" value="" />
    <p class="lead" data-wallet-missing>${texts.walletMissing(name)}</p>
    <button
      type="button"
      class="button primary"
      hidden
      data-busy="${texts.working}"
      data-wallet="${wallet.kind}"
      data-method="${key}"
      data-validation="${model.base}/wallet"
      data-request="${JSON.stringify(wallet.button.request)}"
    >
      <bdi>${wording.withMethod(name)}</bdi>
    </button>`;
}
