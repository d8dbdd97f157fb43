import { hash } from 'node:crypto';
import { instantConnector } from '@railyard/connector-pix';
import { verifySessionSignature } from '@railyard/core/protocol';
import { createRegistry, type Profile, profileOf, type Registry, resolveMethod } from '@railyard/core/registry';
import { paymentInput } from '@railyard/runtime';
import * as z from 'zod';
import { merchant, midDefaults, today } from './typical.ts';

const methods = instantConnector.serves.map((served) => served.method);
const profile: Profile = {
  methods: Object.fromEntries(methods.map((method) => [method.key, profileOf(method, { values: midDefaults })])),
};
const settings = instantConnector.settings.parse({
  base_url: 'https://pix.example',
  api_key: 'bench',
  webhook_secret: 'bench',
});

/** From the text of a request to the provider's first request, as the service goes; `undefined` where it is refused. */
export const ourPath = pathOf(createRegistry(methods, { compile: z.compile }));
/** The same where no code may be generated. */
export const ourPlainPath = pathOf(createRegistry(methods));

function pathOf(registry: Registry) {
  return (text: string, reference: string, notify: string) => {
    const parsed = registry.parse(jsonOf(text), { today, openAmount: () => true });
    if (!parsed.ok) return undefined;
    const password = parsed.session.merchant_key === merchant.key ? merchant.password : undefined;
    if (!verifySessionSignature(parsed.session, { password, digest: 'both', hash }).ok) return undefined;
    // Also chooses each method's MID: by channel, mode, currency and limits.
    const checked = registry.validateParsed(parsed.session, { today, profile });
    if (!checked.ok) return undefined;
    const { session, warnings } = checked;
    const served = instantConnector.serves.find(({ method }) => session.methods?.includes(method.key) ?? true);
    if (served === undefined) return undefined;
    const sources = { mid: midDefaults, profile: profile.methods[served.method.key], today };
    const resolution = resolveMethod(registry, session, served.method.key, { ...sources, profiles: profile });
    if (resolution.kind !== 'complete') return undefined;
    const payment = paymentInput({
      session,
      resolved: resolution.value,
      id: reference,
      merchantReference: reference,
      test: false,
    });
    const context = { payment, settings, now: `${today}T12:00:00.000Z`, urls: { notify, return: notify } };
    const first = served.flows[session.operation]?.(context).next().value;
    if (first === undefined || !('kind' in first) || first.kind !== 'call')
      throw new Error('The flow asks for nothing.');
    const wire = first.endpoint.request(first.input, { settings, key: reference });
    return { session, warnings: warnings.length, wire };
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
