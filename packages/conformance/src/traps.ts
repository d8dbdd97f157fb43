import crypto from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

/** A part of the outside world that a connector may not use. */
export type World = 'clock' | 'randomness' | 'environment' | 'network' | 'files' | 'timers';

export interface Trapped {
  readonly world: World;
  readonly name: string;
}

interface Place {
  readonly world: World;
  readonly name: string;
  readonly on: object;
  readonly property: string;
}

const place = (world: World, on: object, prefix: string, properties: readonly string[]): Place[] =>
  properties.map((property) => ({ world, on, property, name: `${prefix}${property}` }));

const RANDOM = ['randomUUID', 'randomBytes', 'randomInt', 'randomFillSync', 'getRandomValues'];

const PLACES: readonly Place[] = [
  ...place('clock', Date, 'Date.', ['now']),
  ...place('clock', performance, 'performance.', ['now']),
  ...place('clock', process, 'process.', ['hrtime', 'uptime']),
  ...place('randomness', Math, 'Math.', ['random']),
  ...place('randomness', globalThis.crypto, 'crypto.', ['randomUUID', 'getRandomValues']),
  ...place('randomness', crypto, 'node:crypto ', RANDOM),
  ...place('environment', process, 'process.', ['cwd']),
  ...place('network', globalThis, '', ['fetch']),
  ...place('network', http, 'node:http ', ['request', 'get']),
  ...place('network', https, 'node:https ', ['request', 'get']),
  ...place('files', fs, 'node:fs ', [
    'readFileSync',
    'readFile',
    'writeFileSync',
    'existsSync',
    'openSync',
    'statSync',
    'readdirSync',
    'createReadStream',
  ]),
  ...place('timers', globalThis, '', ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']),
];

/**
 * Runs a task and reports its accesses. Synchronous: between setting the traps and taking them away nothing else runs. The trapped
 * calls still work, so that the task ends as it would.
 */
export function trapped(task: () => void): readonly Trapped[] {
  const met: Trapped[] = [];
  const restore = [...PLACES.map((each) => trapFunction(each, met)), trapDate(met), trapEnvironment(met)];
  syncBuiltinESMExports();
  try {
    task();
  } finally {
    for (const undo of restore) undo();
    syncBuiltinESMExports();
  }
  return met;
}

function trapFunction({ world, name, on, property }: Place, met: Trapped[]): () => void {
  const before = Object.getOwnPropertyDescriptor(on, property);
  const original: unknown = Reflect.get(on, property);
  // A property that cannot be replaced cannot be trapped.
  if (typeof original !== 'function' || before?.configurable === false) return () => undefined;
  const trap = new Proxy(original, {
    apply(target, self, given) {
      met.push({ world, name });
      return Reflect.apply(target, self, given);
    },
  });
  Object.defineProperty(on, property, {
    configurable: true,
    writable: true,
    enumerable: before?.enumerable ?? true,
    value: trap,
  });
  return () => {
    if (before === undefined) Reflect.deleteProperty(on, property);
    else Object.defineProperty(on, property, before);
  };
}

/** `new Date()` and `Date()` read the clock, `new Date(text)` does not. */
function trapDate(met: Trapped[]): () => void {
  const original = globalThis.Date;
  globalThis.Date = new Proxy(original, {
    construct(target, given, self) {
      if (given.length === 0) met.push({ world: 'clock', name: 'new Date()' });
      return Reflect.construct(target, given, self);
    },
    apply(target, self, given) {
      met.push({ world: 'clock', name: 'Date()' });
      return Reflect.apply(target, self, given);
    },
  });
  return () => {
    globalThis.Date = original;
  };
}

function trapEnvironment(met: Trapped[]): () => void {
  const original = process.env;
  process.env = new Proxy(original, {
    get(target, name) {
      met.push({ world: 'environment', name: `process.env.${String(name)}` });
      return Reflect.get(target, name);
    },
  });
  return () => {
    process.env = original;
  };
}
