export { cardRedirect, cardRedirectAlt } from './methods/card-redirect.ts';
export { card } from './methods/card.ts';
