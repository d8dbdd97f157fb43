import { builtinModules } from 'node:module';

/**
 * Core and connectors say what to do and never do it. What they may name of the world outside is this list: a global
 * that is not here (fetch, process, crypto, timers, performance, globalThis, a future one) is refused.
 */
const LANGUAGE = new Set(
  `AggregateError arguments Array ArrayBuffer atob BigInt BigInt64Array BigUint64Array Boolean btoa DataView
  decodeURI decodeURIComponent encodeURI encodeURIComponent Error EvalError Float32Array Float64Array Infinity
  Int16Array Int32Array Int8Array isFinite isNaN Iterator JSON Map NaN Number Object parseInt Promise Proxy
  RangeError ReferenceError Reflect RegExp Set String structuredClone Symbol SyntaxError TextDecoder TextEncoder
  TypeError Uint16Array Uint32Array Uint8Array Uint8ClampedArray undefined URIError URL URLSearchParams WeakMap
  WeakSet`.split(/\s+/),
);

const BUILTIN = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));

/** `Date` with a given moment is arithmetic; without one it reads the clock. */
function readsNoClock(node) {
  const parent = node.parent;
  if (parent.type === 'NewExpression' && parent.callee === node) {
    return parent.arguments.length > 0 && parent.arguments[0].type !== 'SpreadElement';
  }
  if (parent.type === 'BinaryExpression') return parent.operator === 'instanceof';
  return isMember(node, (name) => name === 'UTC' || name === 'parse');
}

function isMember(node, accepts) {
  const parent = node.parent;
  if (parent.type !== 'MemberExpression' || parent.object !== node || parent.computed) return false;
  return accepts(parent.property.name);
}

/** A complaint about one use of a global, or nothing. */
function complaint(node, allowed) {
  if (node.name === 'Date') return readsNoClock(node) ? undefined : 'the clock (Date without a given moment)';
  if (node.name === 'Math') return isMember(node, (name) => name !== 'random') ? undefined : 'randomness (Math)';
  return LANGUAGE.has(node.name) || allowed.has(node.name) ? undefined : `the global \`${node.name}\``;
}

const RULE = 'Core and connectors are pure: no I/O, clock, randomness or environment';

/** @type {import('oxlint/plugins-dev').Rule} */
export const pure = {
  // `allow`: what a folder that only services load may name besides, `node:crypto` for example.
  meta: {
    type: 'problem',
    schema: [{ type: 'object', properties: { allow: { type: 'array', items: { type: 'string' } } } }],
  },
  create(context) {
    const allowed = new Set(context.options[0]?.allow ?? []);
    const refuse = (node, what) => context.report({ node, message: `${RULE}. This uses ${what}.` });
    const source = (node) => {
      const name = node.source?.value;
      if (typeof name !== 'string' || allowed.has(name)) return;
      if (name.startsWith('node:') || BUILTIN.has(name)) refuse(node, `\`${name}\``);
    };
    return {
      ImportDeclaration: source,
      ExportNamedDeclaration: source,
      ExportAllDeclaration: source,
      ImportExpression: (node) => refuse(node, 'a dynamic import'),
      MetaProperty: (node) => {
        if (node.meta.name === 'import') refuse(node, '`import.meta`');
      },
      'Program:exit'(program) {
        const scope = context.sourceCode.getScope(program);
        const open = scope.through.concat(
          scope.variables.filter((v) => v.defs.length === 0).flatMap((v) => v.references),
        );
        for (const { identifier, isTypeReference } of open) {
          if (isTypeReference === true || identifier.type !== 'Identifier') continue;
          const what = complaint(identifier, allowed);
          if (what !== undefined) refuse(identifier, what);
        }
      },
    };
  },
};
