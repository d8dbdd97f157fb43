import { formatAmount } from './amount.ts';
import type { PageModel } from './model.ts';
import { textsIn } from './texts/index.ts';
import type { Page } from './view.ts';

/** The model of a page with the texts of a language. */
export function pageOf(model: PageModel, wanted: string): Page {
  const { language, texts } = textsIn(wanted);
  const wording = model.operation === 'credit' ? texts.receive : texts.pay;
  const amount = model.amount === undefined ? undefined : formatAmount(model.amount, language);
  return { model, texts, wording, language, amount };
}
