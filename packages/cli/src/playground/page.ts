import { pageScript } from './page-script.ts';

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { margin: 0; padding: 1rem; display: grid; gap: 1.5rem; grid-template-columns: minmax(18rem, 1fr) 2fr; }
header { grid-column: 1 / -1; } h1 { font-size: 1.2rem; margin: 0; } h2 { font-size: 1rem; }
label { display: block; margin: .6rem 0; } label span { display: block; font-weight: 600; }
input:not([type=checkbox]), select, textarea { width: 100%; box-sizing: border-box; font: inherit; padding: .35rem; }
small { color: GrayText; } table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: .25rem .5rem; border-bottom: 1px solid color-mix(in srgb, GrayText 40%, transparent); overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; } .wrong { color: #c0262d; } button { font: inherit; margin: .2rem .3rem .2rem 0; }
@media (max-width: 50rem) { body { grid-template-columns: 1fr; } }
`;

/** The page of the playground: a form made of a method's schema, and beside it what the connector would send. */
export function pageHtml(version: string): string {
  return `<!doctype html>
<html lang="en" data-version="${version}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Railyard playground</title><style>${STYLE}</style></head>
<body>
<header><h1>Railyard playground</h1><p>Everything stays on this machine: the provider is simulated.</p></header>
<form id="form" aria-label="Session request">
<label><span>Method</span><select id="method"></select></label>
<label><span>Operation</span><select id="operation"></select></label>
<label><span>Amount</span><input id="amount" value="10.00"></label>
<label><span>Currency</span><input id="currency" list="currencies"><datalist id="currencies"></datalist></label>
<fieldset><legend>Parameters</legend><div id="parameters"></div></fieldset>
<fieldset id="payer-fields" hidden><legend>What the payer enters</legend><div id="payer"></div></fieldset>
<label><span>More of the session (JSON)</span><textarea id="more" rows="4">{}</textarea></label>
<button type="submit" id="send">Send to the simulated provider</button>
</form>
<main>
<h2>What would be sent</h2><div id="preview" aria-live="polite"></div>
<h2>Outcome</h2><pre id="outcome">Nothing was sent yet.</pre>
<h2>Payments at the simulated provider</h2><div id="payments"></div>
<h2>Notifications</h2><div id="received"></div>
</main>
<script>${pageScript}</script>
</body></html>`;
}
