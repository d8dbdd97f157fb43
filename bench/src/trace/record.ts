import { AsyncLocalStorage } from 'node:async_hooks';
import { Server } from 'node:http';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const SOURCES = new URL('../../../packages/checkout/src/', import.meta.url);

/** A request that is followed, and the files in which the functions stand that it enters, in order. */
export interface Trace {
  readonly name: string;
  readonly entered: string[];
}

/** The first request at each of these addresses is followed, with all the work that it begins; of notifications the last, which settles a payment. */
const FOLLOWED: readonly (readonly [name: string, method: string, path: RegExp])[] = [
  ['A session', 'POST', /^\/api\/v1\/session$/],
  ['A card payment', 'POST', /^\/auth\/[^/]+\/pay$/],
  ['A refund', 'POST', /^\/api\/v1\/payment\/refund$/],
  ['A notification', 'POST', /^\/notify\//],
  ['A sale by command', 'POST', /^\/post$/],
];

const following = new AsyncLocalStorage<Trace>();
const traces = new Map<string, Trace>();

/** The traces so far, in the order of the flows. */
export const recorded = (): readonly Trace[] => FOLLOWED.flatMap(([name]) => traces.get(name) ?? []);

declare global {
  /** Called at the beginning of every function of the checkout. */
  var entered: ((path: string) => void) | undefined;
}
globalThis.entered = (path) => void following.getStore()?.entered.push(path);

const emit = Server.prototype.emit;
function followed(this: Server, ...args: readonly unknown[]): boolean {
  const [event, request] = args;
  const { method, url = '' } = Object(request);
  const name = event === 'request' ? FOLLOWED.find((each) => each[1] === method && each[2].test(url))?.[0] : undefined;
  if (name === undefined || (traces.has(name) && name !== 'A notification')) return Reflect.apply(emit, this, args);
  const trace = { name, entered: [] };
  traces.set(name, trace);
  return following.run(trace, () => Reflect.apply(emit, this, args));
}
Object.defineProperty(Server.prototype, 'emit', { value: followed });

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.startsWith(SOURCES.href) || !url.endsWith('.ts')) return loaded;
    const path = fileURLToPath(url).slice(fileURLToPath(SOURCES).length);
    return { ...loaded, source: withCalls(String(loaded.source), path) };
  },
});

/** The code with a call of `entered` at the beginning of each function. */
function withCalls(text: string, path: string): string {
  const call = `globalThis.entered?.(${JSON.stringify(path)})`;
  const inserted: (readonly [at: number, text: string])[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const body = node.body;
      if (ts.isBlock(body)) inserted.push([body.getStart(file) + 1, `${call};`]);
      else inserted.push([body.getStart(file), `(${call},`], [body.end, ')']);
    }
    ts.forEachChild(node, visit);
  };
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  visit(file);
  return inserted
    .toSorted(([one], [other]) => other - one)
    .reduce((code, [at, more]) => code.slice(0, at) + more + code.slice(at), text);
}
