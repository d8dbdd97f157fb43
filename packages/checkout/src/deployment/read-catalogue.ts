import type { Connector } from '@railyard/core';
import { addressProblem, type CallbackNetwork } from './address-rules.ts';
import { valuesWithSecrets } from '../secrets/index.ts';
import { type Catalogue, catalogueSchema, type GivenCatalogue, httpUrl } from './catalogue-schema.ts';
import { problemsOf } from './problems.ts';

export type ReadCatalogue =
  | {
      readonly ok: true;
      readonly catalogue: Catalogue;
      /** As it was given and as it is stored: JSON. */
      readonly given: GivenCatalogue;
    }
  | { readonly ok: false; readonly problems: readonly string[] };

type Input = { readonly mids: unknown; readonly merchants: unknown };

/** Reads merchants and MIDs: the shape of everything, and each MID's settings by its connector. All problems at once. */
export function readCatalogue(input: Input, connectors: readonly Connector[], network: CallbackNetwork): ReadCatalogue {
  const given = asJson(input);
  if (given === undefined)
    return { ok: false, problems: ['mids and merchants must be JSON: texts, numbers, lists and objects.'] };
  const parsed = catalogueSchema.safeParse(given);
  const addresses = parsed.success ? addressProblems(parsed.data, network) : [];
  if (parsed.success && addresses.length === 0) return { ok: true, catalogue: parsed.data, given };
  // Problems in the settings of the MIDs are reported too, so that all of them appear at once.
  const shape = parsed.success ? addresses : problemsOf(parsed.error);
  return { ok: false, problems: [...shape, ...settingsProblems(given, connectors)] };
}

/** The process uses exactly what the database stores, so values are converted to JSON and back at once. */
function asJson({ mids, merchants }: Input): GivenCatalogue | undefined {
  try {
    return JSON.parse(JSON.stringify({ mids, merchants }));
  } catch {
    return undefined;
  }
}

function addressProblems({ merchants }: Catalogue, network: CallbackNetwork): string[] {
  return merchants.flatMap(({ callbackUrl, test }, index) => {
    const given = { callbackUrl, 'test.callbackUrl': test?.callbackUrl };
    return Object.entries(given).flatMap(([place, url]) => {
      // A value that is not an address has been reported already.
      const readable = httpUrl.safeParse(url).data;
      const problem = readable === undefined ? undefined : addressProblem(readable, network);
      return problem === undefined ? [] : [`merchants.${index}.${place}: ${problem}`];
    });
  });
}

function settingsProblems({ mids }: GivenCatalogue, connectors: readonly Connector[]): string[] {
  if (!Array.isArray(mids)) return [];
  return mids.flatMap((mid, index) => {
    const settings = valuesWithSecrets.safeParse(mid?.settings);
    const connector = connectors.find((each) => each.id === mid?.connector);
    const parsed = settings.success ? connector?.settings.safeParse(settings.data) : undefined;
    return parsed?.success === false ? problemsOf(parsed.error, `mids.${index}.settings.`) : [];
  });
}
