import type { OwnReply } from './server.ts';

const CSP = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** One page of the bank. `head` and `body` are markup. */
export function layout(title: string, body: string, { status = 200, head = '' } = {}): OwnReply {
  return {
    status,
    type: 'text/html; charset=utf-8',
    text: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}<title>${escaped(title)}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`,
    headers: { 'content-security-policy': CSP, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' },
  };
}

export const saidLine = (said: string | undefined): string =>
  said === undefined ? '' : `<p class="said" role="status">${escaped(said)}</p>`;

/** Pay and Decline for a payment. `onItsPage`: the answer is the payment's own page, not the list. */
export function buttons(id: string, onItsPage = false): string {
  const page = onItsPage ? '<input type="hidden" name="page" value="payment">' : '';
  return `<div class="buttons">${button(id, '/pay', 'Pay', 'primary', page)}${button(id, '/decline', 'Decline', 'secondary', page)}</div>`;
}

/** Settle and Decline for a capture, void or refund. */
export const modificationButtons = (id: string): string =>
  `<div class="buttons">${button(id, '/settle-modification', 'Settle', 'primary')}${button(id, '/decline-modification', 'Decline', 'secondary')}</div>`;

const button = (id: string, action: string, label: string, kind: string, more = ''): string =>
  `<form method="post" action="${action}"><input type="hidden" name="id" value="${escaped(id)}">${more}<button class="${kind}">${label}</button></form>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

export const STYLE = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; --accent: light-dark(#14543c, #7fd1ab); --on-accent: light-dark(#ffffff, #10241b); }
body { margin: 0; }
main { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; }
.note { margin: 0; opacity: 0.75; }
.said { border-left: 4px solid; padding: 0.5rem 0.75rem; }
label { display: block; }
textarea { box-sizing: border-box; width: 100%; font: 0.9rem/1.4 ui-monospace, monospace; }
button { font: inherit; padding: 0.5rem 1.25rem; margin-top: 0.5rem; min-height: 2.75rem; border: 1px solid var(--accent); border-radius: 8px; cursor: pointer; }
.primary { background: var(--accent); color: var(--on-accent); }
.secondary { background: transparent; color: var(--accent); }
ul { list-style: none; margin: 0; padding: 0; }
li { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: center; border-top: 1px solid color-mix(in srgb, currentcolor 25%, transparent); padding: 0.75rem 0; }
li p { margin: 0; }
.amount { font-weight: 600; min-width: 8rem; }
.about { flex: 1 1 14rem; overflow-wrap: anywhere; font-size: 0.9rem; }
.what { font-size: 1rem; font-weight: 600; }
.buttons { display: flex; gap: 0.5rem; }
.state { font-weight: 600; }
`;
