export { chooseLanguage, payerLocale } from './choose-language.ts';
export { contentSecurityPolicy, pageHeaders } from './headers.ts';
export { leavingAddress } from './leaving.ts';
export {
  BESIDE_INPUT,
  BROWSER_INPUT,
  type PageField,
  type PageMethod,
  type PageModel,
  type PageState,
} from './model.ts';
export { fieldsPage, isFrame } from './fields-page.ts';
export { encoded, ENCODINGS, merchantScripts, type PageAsset, pageAssets } from './page-assets.ts';
export { renderPage } from './render.ts';
export { ticketOf, ticketsArePrinted } from './ticket.ts';
export { fragmentPage } from './fragment-page.ts';
export { returnPage } from './render.ts';
export { unavailablePage } from './render.ts';
export { CHOSEN } from './parts/forms.ts';
