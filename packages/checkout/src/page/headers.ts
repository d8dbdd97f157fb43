import type { WalletButton } from '@railyard/core/driver';
import type { PageModel } from './model.ts';

/** Nothing of the device is needed but writing to the clipboard, and a wallet's payment sheet where one is offered. */
const permissions = (wallet: WalletButton | undefined): string =>
  [
    'accelerometer=()',
    'camera=()',
    'clipboard-write=(self)',
    'geolocation=()',
    'gyroscope=()',
    'magnetometer=()',
    'microphone=()',
    `payment=(${wallet === undefined ? '' : ['self', ...wallet.frame.map((each) => `"${each}"`)].join(' ')})`,
    'usb=()',
  ].join(', ');

/**
 * The policy of one page: only its own scripts and styles, forms only to itself. A page that sends the payer away with a
 * POST form may send forms to any https address, because browsers also check every redirect behind the form, and a
 * bank's chain of hosts is not known before. That page has no other form and no input of the payer.
 *
 * @param model `undefined`: a page without forms
 * @param nonce fresh for every response
 * @param origins whose pages may show it in a frame; default: the model's
 */
export function contentSecurityPolicy(
  model: PageModel | undefined,
  nonce: string,
  origins: readonly string[] = model?.frameOrigins ?? [],
): string {
  const wallet = walletOn(model);
  return [
    `default-src 'none'`,
    [`script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`, ...hostsOf(wallet)].join(' '),
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:`,
    [`connect-src 'self'`, ...(wallet?.connect ?? [])].join(' '),
    ...(wallet === undefined || wallet.frame.length === 0 ? [] : [`frame-src ${wallet.frame.join(' ')}`]),
    `form-action ${formTargets(model).join(' ')}`,
    `base-uri 'none'`,
    `object-src 'none'`,
    `frame-ancestors ${origins.length > 0 ? origins.join(' ') : "'none'"}`,
    // The script of a wallet's vendor knows nothing of trusted types.
    ...(wallet === undefined ? [`require-trusted-types-for 'script'`, `trusted-types 'none'`] : []),
  ].join('; ');
}

/** The wallet whose button the page has. */
const walletOn = (model: PageModel | undefined): WalletButton | undefined =>
  model?.state.kind === 'ask' ? model.state.wallet?.button : undefined;

const hostsOf = (wallet: WalletButton | undefined): string[] =>
  wallet === undefined ? [] : [new URL(wallet.script).origin];

function formTargets(model: PageModel | undefined): string[] {
  if (model === undefined) return [`'none'`];
  const { state } = model;
  if (state.kind !== 'visit' || state.nextAction.method !== 'POST' || !URL.canParse(state.nextAction.url))
    return [`'self'`];
  const { origin, protocol } = new URL(state.nextAction.url);
  if (protocol !== 'https:' && protocol !== 'http:') return [`'self'`];
  return [`'self'`, origin, 'https:'];
}

/**
 * Every header of a page. The page is never cached, is framed only by the merchant's own pages, and sends no referrer.
 *
 * @param model `undefined`: a page without forms
 * @param options.frameOrigins whose pages may show it in a frame; default: the model's
 * @example new Response(renderPage(model, { nonce, language }), { headers: pageHeaders(model, { nonce, language }) })
 */
export function pageHeaders(
  model: PageModel | undefined,
  options: { readonly nonce: string; readonly language: string; readonly frameOrigins?: readonly string[] },
): Record<string, string> {
  const origins = options.frameOrigins ?? model?.frameOrigins ?? [];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': options.language,
    'content-security-policy': contentSecurityPolicy(model, options.nonce, origins),
    'cache-control': 'no-store',
    vary: 'Accept-Language',
    'x-content-type-options': 'nosniff',
    // It knows no list: where there is one, the policy alone says who may.
    ...(origins.length > 0 ? {} : { 'x-frame-options': 'DENY' }),
    'referrer-policy': 'no-referrer',
    // A wallet may open a window of its own, which answers to the page.
    'cross-origin-opener-policy': walletOn(model) === undefined ? 'same-origin' : 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': permissions(walletOn(model)),
    'x-robots-tag': 'noindex, nofollow',
  };
}
