import type { ServerResponse } from 'node:http';

/** What a payer may do at the bank. */
export const BANK_BUTTONS = ['Approve', 'Cancel'] as const;

/** The page of a bank, on which the payer decides about one payment. @param home where its links lead, below this address */
export function bankPage(response: ServerResponse, home: string, what: string): void {
  const links = BANK_BUTTONS.map((name) => `<p><a href="${home}/${name.toLowerCase()}">${name}</a></p>`).join('');
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(`<!doctype html><html lang="en"><title>Bank</title><h1>Pay ${what}?</h1>${links}</html>`);
}

/** Sends the payer back to the shop with what the provider adds to the address. */
export function backToShop(response: ServerResponse, address: string, values: Readonly<Record<string, string>>): void {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  response.writeHead(302, { location: url.href });
  response.end();
}

export function answerJson(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(json));
}
