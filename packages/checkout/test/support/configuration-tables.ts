import { routingRuleSchema } from '@railyard/core/registry';
import * as z from 'zod';
import { brandingSchema, merchantSchema, midSchema } from '../../src/deployment/catalogue.ts';
import { serviceSchema } from '../../src/deployment/config.ts';
import { retentionSchema } from '../../src/deployment/config.ts';

const property = z.object({
  description: z.string().exactOptional(),
  default: z.unknown().optional(),
  type: z.string().exactOptional(),
  enum: z.array(z.string()).exactOptional(),
  items: z
    .object({ enum: z.array(z.string()).exactOptional() })
    .loose()
    .exactOptional(),
});
const object = z.object({
  properties: z.record(z.string(), property.loose()),
  required: z.array(z.string()).default([]),
});

/** A cell holds no more; the description says where they are listed. */
const MOST_CHOICES = 20;

/** The sentence of a description that says in words what holds without the setting. */
const DEFAULT = / Default: (.+)\.$/;

/** Name, default and meaning of every field of a schema, as rows of a table. The default is in words where the meaning says it. */
function rows(schema: z.ZodObject): string[] {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const { properties, required } = object.parse(described);
  return Object.entries(properties).map(([name, field]) => {
    if (field.description === undefined) throw new Error(`"${name}" has no description.`);
    const inWords = DEFAULT.exec(field.description)?.[1];
    const effect = field.description.replace(DEFAULT, '');
    const choice = field.enum ?? field.items?.enum;
    const meaning =
      choice === undefined || choice.length > MOST_CHOICES
        ? effect
        : `${effect} One of ${choice.map(code).join(', ')}.`;
    const usual = required.includes(name) ? '**required**' : (inWords ?? defaultOf(name, field.default));
    return `| ${code(name)} | ${usual} | ${meaning} |`;
  });
}

function defaultOf(name: string, value: unknown): string {
  if (value === undefined) throw new Error(`The description of "${name}" does not end with its default: "Default: …."`);
  return code(JSON.stringify(value));
}

const code = (text: string) => `\`${text.replaceAll('"', '')}\``;

const table = (schema: z.ZodObject) => ['| setting | default | meaning |', '|---|---|---|', ...rows(schema)].join('\n');

/** The tables of docs/configuration.md, by the names of their places. */
export const CONFIGURATION_TABLES: ReadonlyMap<string, string> = new Map([
  ['service', table(serviceSchema)],
  ['retention', table(retentionSchema)],
  ['mids', table(midSchema)],
  ['merchants', table(merchantSchema)],
  ['branding', table(brandingSchema)],
  ['methods', table(merchantSchema.shape.methods.element)],
  ['rules', table(routingRuleSchema)],
]);

/** A document with the tables put into their places, `<!-- name -->` to `<!-- end -->`. */
export function withTables(document: string): string {
  return document.replaceAll(/<!-- (\w+) -->\n[^]*?<!-- end -->/g, (_, name: string) => {
    const found = CONFIGURATION_TABLES.get(name);
    if (found === undefined) throw new Error(`There is no table "${name}".`);
    return `<!-- ${name} -->\n\n${found}\n\n<!-- end -->`;
  });
}
