import { type Method, readPath, TEXTS } from '@railyard/core';
import { type Issue, sessionSchema } from '@railyard/core/protocol';
import {
  describeMethods,
  isGiven,
  type MethodDescription,
  OPERATIONS,
  type ParameterDescription,
  type Profile,
} from '@railyard/core/registry';
import { nearest } from './nearest.ts';

/** An issue with what to do about it. */
export interface Explained {
  readonly path: string;
  /** The expected value, in the protocol's words. */
  readonly message: string;
  readonly advice: string;
}

/** Explains issues of a request, out of what its methods say of themselves. */
export function explainer(methods: readonly Method[], input: unknown, profile: Profile | undefined) {
  const described = describeMethods({ methods });
  const keys = profile === undefined ? methods.map(({ key }) => key) : Object.keys(profile.methods);
  const operation = readPath(input, 'operation');
  /** Fields that stand under `parameters.<key>`, or that the method needs of the session, in the operation that was asked. */
  const fieldsOf = (key: string): readonly ParameterDescription[] => {
    const method = described.find((each) => each.key === (profile?.methods[key]?.method ?? key));
    const own = method?.operations.find((each) => each.operation === operation);
    return own?.parameters ?? [];
  };
  /** The codes that the methods of the request take. */
  const taken = (codes: (method: MethodDescription) => readonly string[]): readonly string[] => {
    const asked = readPath(input, 'methods');
    const own = (Array.isArray(asked) ? asked : []).map((key) => profile?.methods[String(key)]?.method ?? key);
    return [...new Set(described.filter(({ key }) => own.includes(key)).flatMap(codes))];
  };
  const currencies = () => taken((each) => each.currencies);
  const countries = () => taken((each) => (each.elsewhere === undefined ? each.countries : []));
  /** Fields of the request that the session does not have: perhaps a missing field, misspelt. */
  const strangers = () => Object.keys(Object(input)).filter((name) => !Object.hasOwn(sessionSchema.shape, name));
  const needs = () => described.flatMap((each) => each.operations).flatMap((each) => each.needs);

  const adviceFor = ({ path, message }: Issue): string => {
    if (path === 'operation') return `Use one of: ${OPERATIONS.join(', ')}.`;
    if (path === 'methods') return `Use keys of: ${keys.join(', ')}.`;
    if (path === 'hash') return 'Sign the request: railyard sign session.';
    const [root, key = '', ...rest] = path.split('.');
    const name = rest.filter((part) => !/^\d+$/.test(part)).join('.');
    const names = fieldsOf(key).map((each) => each.name);
    if (message === TEXTS.unexpected) return unexpected(path, root === 'parameters' ? names : undefined, key, keys);
    const field =
      root === 'parameters'
        ? fieldsOf(key).find((each) => each.name === name)
        : needs().find((each) => each.name === path);
    const what = field === undefined ? '' : meaningOf(field);
    const value = readPath(input, path);
    if (!isGiven(value)) {
      const near = nearest(path, strangers());
      if (near !== undefined) return `Add it; perhaps "${near}" should be called so.`;
      // Without a profile nothing is known of the account.
      const account = profile === undefined && field?.sources.includes('mid') === true;
      return `Add it.${what}${account ? ' An account may give it: see --profile.' : ''}`;
    }
    if (typeof value === 'number' && message === TEXTS.type('string')) return `Write it as text, in quotes.${what}`;
    if (message === TEXTS.choice) {
      const codes =
        path === 'order.currency' ? currencies() : path.endsWith('billing_address.country') ? countries() : [];
      if (codes.length > 0) return `Use one of: ${codes.join(', ')}.`;
    }
    return `Correct it.${what}`;
  };
  return (issue: Issue): Explained => ({ path: issue.path, message: issue.message, advice: adviceFor(issue) });
}

function meaningOf({ type, label, help }: ParameterDescription): string {
  return ` ${[label, type.replaceAll('`', '')].join(': ')}.${help === undefined ? '' : ` ${help}`}`;
}

/** @param own the names of a method's parameters; absent for fields of the session itself */
function unexpected(path: string, own: readonly string[] | undefined, key: string, keys: readonly string[]): string {
  if (path === `parameters.${key}`) return `Remove it, or use a key of: ${keys.join(', ')}.`;
  const last = path.split('.').at(-1) ?? '';
  const names = own ?? Object.keys(sessionSchema.shape);
  const near = nearest(last, names);
  if (near !== undefined) return `Remove it, or call it "${near}".`;
  return own === undefined || own.length === 0 ? 'Remove it.' : `Remove it; ${key} takes: ${own.join(', ')}.`;
}
