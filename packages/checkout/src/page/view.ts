import type { PayerText } from '@railyard/core';
import { inLanguage } from '@railyard/core/registry';
import type { Markup } from './markup.ts';
import type { Decline, PageModel } from './model.ts';
import type { ScriptName } from './page-assets.ts';
import type { Texts, Wording } from './texts/index.ts';

/** The input of every view. */
export interface Page {
  readonly model: PageModel;
  readonly texts: Texts;
  /** The texts of paying or of being paid, whichever this is. */
  readonly wording: Wording;
  readonly language: string;
  /** `undefined`: the payer chooses the amount. */
  readonly amount: string | undefined;
}

/** The content of the page for one state. */
export interface View {
  readonly title: string;
  readonly body: Markup;
  /** Scripts beside the one that every page has. Default: none. */
  readonly scripts?: readonly ScriptName[];
  /** The script of a digital wallet's vendor: the only one on any page that is not our own. */
  readonly vendorScript?: string;
  /** Something was refused: the title says so first. */
  readonly refused?: boolean;
  /** Without scripts the page loads again, or goes on, by itself after so many seconds. */
  readonly refresh?: { readonly seconds: number; readonly to: string };
}

/** A title, label or choice that a connector gives, in the page's language where it has it. */
export const said = (page: Pick<Page, 'language'>, text: PayerText): string => inLanguage(text, page.language);

/** Why an attempt brought nothing, in the page's language; nothing where it is not known. */
export function declineText({ texts }: Pick<Page, 'texts'>, { code, reason }: Decline): string {
  return code === undefined ? reason : texts.declines[code];
}

/** The text of the main button. */
export function buttonText(page: Page): string {
  return page.amount === undefined ? page.texts.continue : page.wording.button(page.amount);
}
