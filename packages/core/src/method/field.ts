import * as z from 'zod';
import type { PayerText } from '../payer-text.ts';
import { ownProperty } from '../plain-data.ts';
import type { Condition } from './condition.ts';

/**
 * Where a value may come from when the merchant's request does not carry it, tried in this order:
 * the MID's settings, the payer on the hosted page, a fixed default.
 */
export const SOURCES = ['mid', 'payer', 'default'] as const;
export type Source = (typeof SOURCES)[number];

/** How the hosted page asks for a value. */
export type InputKind = 'text' | 'digits' | 'email' | 'tel' | 'date' | 'select' | 'checkbox' | 'code' | 'country';

/** One choice of a list. */
export interface Option {
  readonly value: string;
  readonly label: PayerText;
}

/** The facts about a field besides its schema. One record serves validation, page, JSON Schema and documentation. */
export interface FieldInfo {
  /** In English, or in several languages; the page has texts of its own for fields of the session that are labelled in English alone. */
  readonly label: PayerText;
  /** A sentence for documentation and for the hint below the input. */
  readonly help?: PayerText;
  readonly input?: InputKind;
  /** Names of the values of an enumeration, where a value does not speak for itself. */
  readonly names?: Readonly<Record<string, PayerText>>;
  /** Sources besides the session, which always comes first. The order in this list has no meaning. Absent: only the session. */
  readonly sources?: readonly Source[];
  /** The field applies only while this holds; elsewhere it is neither asked for nor required. */
  readonly when?: Condition;
  /** Elsewhere than where this holds, a request that carries the field is refused. */
  readonly only?: Condition;
  /** The value of the source `default`. */
  readonly fallback?: string;
  /** Never shown in a log, a preview or a table of settings; the page masks what the payer types, and never fills it in again. */
  readonly secret?: boolean;
  /** `false`: the account's own word; a request that carries it is refused. */
  readonly request?: false;
  readonly example?: string;
  /** The `autocomplete` token of the page's input. */
  readonly autocomplete?: string;
}

/** Under this name zod's registry keeps the record of a field. */
export const FIELD = 'x-railyard';

/**
 * Attaches what the page and the documentation need to a schema. The rule stays in the schema.
 *
 * @example field(z.string().max(25), { label: { en: 'Phone number', 'pt-BR': 'Telefone' }, sources: ['payer'] })
 */
export function field<S extends z.ZodType>(schema: S, info: FieldInfo): S {
  return schema.meta({ [FIELD]: info });
}

/** Marks a setting of a MID as a credential: masked wherever settings are shown. */
export function secret<S extends z.ZodType>(schema: S, label: string): S {
  return field(schema, { label, secret: true });
}

/** The field's record, also behind `.optional()`, `.default()`, `.transform()`, `z.lazy` and the like; without one the name is the label. */
export function fieldInfo(schema: z.core.$ZodType, name: string): FieldInfo {
  const info = z.globalRegistry.get(schema)?.[FIELD];
  if (isFieldInfo(info)) return info;
  for (const inner of innerSchemas(schema)) {
    const found = fieldInfo(inner, '');
    if (found.label !== '') return found;
  }
  return { label: name };
}

/**
 * The choices of a field whose schema takes nothing but certain texts, which the page offers as a list; `undefined` for any other field.
 *
 * @example choicesOf(field(z.enum(['CPF', 'CNPJ']), { label: 'Document type' })) // [{ value: 'CPF', label: 'CPF' }, …]
 */
export function choicesOf(schema: z.core.$ZodType): readonly Option[] | undefined {
  const values = [...valuesOf(schema)].filter((value) => value !== undefined && value !== null);
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length === 0 || texts.length < values.length) return undefined;
  const { names = {} } = fieldInfo(schema, '');
  return texts.map((value) => ({ value, label: (Object.hasOwn(names, value) && names[value]) || value }));
}

/** The only values that a schema takes, as zod knows them; it does not look into `z.lazy`. */
function valuesOf(schema: z.core.$ZodType): Iterable<z.core.util.Primitive> {
  const [inner] = innerSchemas(schema);
  return schema._zod.values ?? (inner === undefined ? [] : valuesOf(inner));
}

/** The schemas within a schema that apply to the same value, by zod's names for them, so that no record is lost. */
function innerSchemas(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodLazy) return [schema._zod.innerType];
  return ['innerType', 'in', 'out']
    .map((name) => ownProperty(schema._zod.def, name))
    .filter((inner) => inner instanceof z.ZodType);
}

export function isFieldInfo(value: unknown): value is FieldInfo {
  return ownProperty(value, 'label') !== undefined;
}
