import { html } from 'hono/html';
import { leavingAddress } from '../leaving.ts';
import type { Markup } from '../markup.ts';
import type { Page } from '../view.ts';

/** The way back to the merchant, into the browsing context that the merchant named (protocol: url_target). */
export function backLink(
  page: Page,
  address: string | undefined,
  style: 'primary' | 'quiet',
  soon = false,
): Markup | '' {
  const { texts, model } = page;
  const href = address === undefined ? undefined : leavingAddress(address);
  if (href === undefined) return '';
  return html`<a
    class="button ${style}"
    href="${href}"
    target="${model.urlTarget}"
    rel="noreferrer"
    ${soon ? html` data-leave="${href}" data-after="3000"` : ''}
    ><bdi>${texts.backTo(model.merchantName)}</bdi></a
  >`;
}
