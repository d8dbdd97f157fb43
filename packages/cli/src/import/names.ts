/** Words that no constant and no type may be called. */
const TAKEN = new Set(
  'break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield await async of string number boolean symbol object any unknown never undefined Object String Number Boolean Array Symbol Function Record Readonly Date Error Map Set'.split(
    ' ',
  ),
);

const parts = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

/** A schema's name without the number of its version: `Order2`, `order-2` → `Order`; `Error401` stays. */
export const unnumbered = (text: string): string => text.replace(/(?<=[A-Za-z])[-_.]?\d$/, '');

/** `OrderResponse`, `order_response` → `OrderResponse`. */
export function pascal(text: string): string {
  const name = parts(text).map(capital).join('');
  return /^[A-Z]/.test(name) ? name : `Of${name}`;
}

/** `OrderResponse`, `order_response` → `orderResponse`. */
export function camel(text: string): string {
  const name = pascal(text);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** `OrderResponse`, `order_response` → `order-response`. */
export const kebab = (text: string): string => parts(text).join('-').toLowerCase();

/** `Merchant-Serial-Number` → `merchant_serial_number`. */
export const snake = (text: string): string => parts(text).join('_').toLowerCase();

/** A name that nothing else in the file has, nor the language. */
export class FreeNames {
  readonly #taken: Set<string>;

  constructor(taken: readonly string[]) {
    this.#taken = new Set([...TAKEN, ...taken]);
  }

  /** @param other a longer name, if the first is taken */
  take(wanted: string, other = wanted): string {
    if (this.#taken.has(wanted) && other !== wanted) return this.take(other);
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${wanted}${count}`;
    this.#taken.add(name);
    return name;
  }
}

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'put', PATCH: 'update', DELETE: 'delete' };

/** Parts of a path that say nothing of its subject: `api`, `v2`. */
const IDLE = /^(?:api|rest|v\d+(?:\.\d+)?)$/i;

/** Last parts of a path that name an act on the part before them. */
const ACTIONS = /^(?:approve|authorize|cancel|capture|complete|confirm|refund|reject|release|reverse|void)$/i;

const isPlace = (part: string): boolean => part.startsWith('{');

/** Of the name of a place of the path: whether it names the account of the merchant, which is a setting. */
export const isAccounts = (name: string): boolean =>
  /^(?:business|company|merchant|project|shop|store)[-_]?(?:account)?[-_]?(?:code|id|key|number)?$/i.test(name);

const isAccount = (part = ''): boolean => isPlace(part) && isAccounts(part.slice(1, -1));

/** The parts with which all paths begin, and which say nothing of one of them: another part follows in each. */
export function sharedParts(operations: readonly string[]): number {
  const paths = operations.map(partsOf);
  const [first = []] = paths;
  if (paths.length < 2) return 0;
  const isShared = (at: number) =>
    paths.every((path) => path[at] === first[at] && path[at + 1] !== undefined && !isPlace(path[at + 1] ?? ''));
  const count = first.findIndex((_, at) => !isShared(at));
  return Math.max(count, 0);
}

const partsOf = (operation: string): readonly string[] => {
  const all = (operation.split(' ')[1] ?? '').split('/').filter((part) => part !== '' && !IDLE.test(part));
  return all.filter((part, at) => !isAccount(part) && !isAccount(all[at + 1]));
};

/**
 * `POST /orders/{id}/refunds` → `create-order-refund`; `POST /orders/{id}/capture` → `capture-order`; `GET /orders/{id}` → `get-order`.
 *
 * @param shared so many first parts are not written, as `sharedParts` has them; the merchant's account is not either
 */
export function endpointName(operation: string, shared: number): string {
  const [method = ''] = operation.split(' ');
  const all = partsOf(operation).slice(shared);
  const words = all.filter((part) => !isPlace(part));
  const action = words.at(-1) ?? '';
  if (method === 'POST' && words.length > 1 && isPlace(all.at(-2) ?? '') && ACTIONS.test(action))
    return [action, ...words.slice(0, -1).map(singular)].map(kebab).join('-');
  const isOne = isPlace(all.at(-1) ?? '');
  const verb = method === 'GET' ? (isOne || words.length === 0 ? 'get' : 'list') : (VERBS[method] ?? method);
  const lastIsMany = method === 'GET' && !isOne;
  const named = words.map((word, index) => (lastIsMany && index === words.length - 1 ? word : singular(word)));
  return [verb, ...named.map(kebab)].join('-');
}

/** `refunds` → `refund`, `entries` → `entry`; `status`, `address` and `details` stay. */
const singular = (word: string): string =>
  /(?:ss|us|is|details)$/i.test(word) ? word : word.replace(/ies$/i, 'y').replace(/s$/i, '');
