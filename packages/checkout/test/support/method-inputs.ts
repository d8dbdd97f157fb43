import { readFileSync } from 'node:fs';
import { type BadInput, materialise, type Operation } from '../../../core/test/support/bad-inputs.ts';

interface MethodInput extends BadInput {
  /** Which request of a method it is a patch of. */
  readonly base: string;
}

interface List {
  readonly base: { readonly method: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
  readonly inputs: readonly MethodInput[];
}

const list: List = JSON.parse(
  readFileSync(new URL('../../../core/test/fixtures/bad-inputs.json', import.meta.url), 'utf8'),
);

/** The entries about a method's parameters that this service can answer: Pix, open banking, and the shape of `parameters`. */
const GROUPS: ReadonlySet<string> = new Set(['pix', 'open-banking', 'parameters-shape']);

export const methodInputs = list.inputs.filter(({ target, group }) => target === 'method' && GROUPS.has(group));

/** The request of a method, unpatched, as operations on the base session. */
export function baseOperations(name: string): Operation[] {
  return Object.entries(list.base.method[name] ?? {}).flatMap(([key, value]): Operation[] => {
    if (key !== 'order') return [{ op: 'set', path: `/${key}`, value }];
    return Object.entries(Object(value)).map(([field, each]) => ({ op: 'set', path: `/order/${field}`, value: each }));
  });
}

export function materialiseMethod(input: MethodInput): string {
  return materialise({ ...input, patch: [...baseOperations(input.base), ...input.patch] });
}
