import type { PageModel } from './model.ts';

/** Nothing of the device is needed but writing to the clipboard. */
const PERMISSIONS = [
  'accelerometer=()',
  'camera=()',
  'clipboard-write=(self)',
  'geolocation=()',
  'gyroscope=()',
  'magnetometer=()',
  'microphone=()',
  'payment=()',
  'usb=()',
].join(', ');

/**
 * The policy of one page: only its own scripts and styles, forms only to itself. A page that sends the payer away with a
 * POST form may send forms to any https address, because browsers also check every redirect behind the form, and a
 * bank's chain of hosts is not known before. That page has no other form and no input of the payer.
 *
 * @param model `undefined`: a page without forms
 * @param nonce fresh for every response
 */
export function contentSecurityPolicy(model: PageModel | undefined, nonce: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:`,
    `connect-src 'self'`,
    `form-action ${formTargets(model).join(' ')}`,
    `base-uri 'none'`,
    `object-src 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
}

function formTargets(model: PageModel | undefined): string[] {
  if (model === undefined) return [`'none'`];
  const { state } = model;
  if (state.kind !== 'visit' || state.turn.method !== 'POST' || !URL.canParse(state.turn.url)) return [`'self'`];
  const { origin, protocol } = new URL(state.turn.url);
  if (protocol !== 'https:' && protocol !== 'http:') return [`'self'`];
  return [`'self'`, origin, 'https:'];
}

/**
 * Every header of a page. The page is never kept, never framed, and tells nobody where the payer came from.
 *
 * @param model `undefined`: a page without forms
 * @example new Response(renderPage(model, { nonce, language }), { headers: pageHeaders(model, { nonce, language }) })
 */
export function pageHeaders(
  model: PageModel | undefined,
  options: { readonly nonce: string; readonly language: string },
): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': options.language,
    'content-security-policy': contentSecurityPolicy(model, options.nonce),
    'cache-control': 'no-store',
    vary: 'Accept-Language',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': PERMISSIONS,
    'x-robots-tag': 'noindex, nofollow',
  };
}
