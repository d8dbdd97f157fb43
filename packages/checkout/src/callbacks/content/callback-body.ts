import { type CallbackFacts, type CallbackField, callbackFields } from './callback-fields.ts';

export interface CallbackBody {
  readonly contentType: string;
  readonly body: string;
}

/** The body of a callback in the merchant's format. Written once; the bytes are kept and sent as they are. */
export function callbackBody(facts: CallbackFacts): CallbackBody {
  const fields = callbackFields(facts);
  return facts.session.merchant.config.callbackFormat === 'json'
    ? { contentType: 'application/json', body: JSON.stringify(Object.fromEntries(fields)) }
    : formBody(fields);
}

export const formBody = (fields: readonly CallbackField[]): CallbackBody => ({
  contentType: 'application/x-www-form-urlencoded; charset=utf-8',
  body: form(fields),
});

/** Written with URLSearchParams, so that a value can never add a field. */
function form(fields: readonly CallbackField[]): string {
  const written = new URLSearchParams();
  for (const [name, value] of fields) addNested(written, name, value);
  return written.toString();
}

/** Nested values with bracket names: `custom_data[a][b]`. */
function addNested(written: URLSearchParams, name: string, value: unknown): void {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object') return written.append(name, String(value));
  for (const [key, each] of Object.entries(value)) addNested(written, `${name}[${key}]`, each);
}
