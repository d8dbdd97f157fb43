import { merchant, today } from '../typical.ts';
import { handPix, isPixAmount, pixRequest } from './pix.ts';
import { handSession } from './session.ts';
import { isHandSigned } from './signature.ts';

/** From the text of a request to the provider's first request, by hand; `undefined` where it is refused. */
export function handPath(text: string, reference: string, notify: string, apiKey: string) {
  const session = handSession(jsonOf(text), today);
  if (session === undefined) return undefined;
  const known = session.merchantKey === merchant.key;
  if (!isHandSigned(session.order, session.hash, known ? merchant.password : undefined)) return undefined;
  const { methods, parameters, amount } = session;
  for (const key of methods ?? []) if (key !== 'pix') return undefined;
  for (const key of Object.keys(parameters)) if (key !== 'pix') return undefined;
  const pix = handPix(parameters.pix ?? {});
  if (pix === undefined || !isPixAmount(amount)) return undefined;
  return { session: session.fields, warnings: pix.warnings, ...pixRequest(session, pix, reference, notify, apiKey) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
