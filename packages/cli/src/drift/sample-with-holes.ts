/** A reply with a hole in place of each value: `{ fees: "{array}" }`. */
export type Holes = string | readonly Holes[] | { readonly [name: string]: Holes };

type Tree = Map<string, Tree | string>;

/** Puts names together to a reply. @param fields place (`items[].fee`) → the kind of JSON that stood there */
export function sampleWithHoles(fields: readonly (readonly [place: string, form: string])[]): Holes {
  const tree: Tree = new Map();
  for (const [place, form] of fields) put(tree, place.split(/\.|(?=\[\])/), form);
  return holesOf(tree);
}

function put(tree: Tree, [name = '', ...rest]: readonly string[], form: string): void {
  const before = tree.get(name);
  if (rest.length > 0) {
    const below: Tree = before instanceof Map ? before : new Map();
    tree.set(name, below);
    return put(below, rest, form);
  }
  if (before instanceof Map) return;
  tree.set(name, before === undefined || before === form ? form : `${before} or ${form}`);
}

function holesOf(tree: Tree | string): Holes {
  if (typeof tree === 'string') return `{${tree}}`;
  const items = tree.get('[]');
  if (items !== undefined && tree.size === 1) return [holesOf(items)];
  // Own fields whatever the name: a provider may call one `__proto__`.
  return Object.fromEntries([...tree].map(([name, each]) => [name, holesOf(each)]));
}
