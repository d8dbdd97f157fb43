import { basename } from 'node:path';
import { UsageError } from '../commands/command.ts';

type Given = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A file of JSON Schema, by its path below the folder. */
interface SchemaFile {
  readonly file: string;
  readonly value: Given;
}

/** `CreatePayment.schema.json` → `CreatePayment`. */
const stemOf = (path: string): string => basename(path).replace(/(?:\.schema)?\.json$/, '');

/** A folder of JSON schemas as a description without calls: each schema under the name of its file. */
export function schemasAsDescription(title: string, files: readonly SchemaFile[]): Given {
  const schemas = files.map(({ file, value }) => [stemOf(file), referring(value, stemOf(file))] as const);
  return {
    openapi: '3.1.0',
    info: { title, version: 'as its files are' },
    paths: {},
    components: { schemas: Object.fromEntries(schemas) },
  };
}

/** The schema with its references among components: to other files, and within its own. */
function referring(value: unknown, own: string): unknown {
  if (Array.isArray(value)) return value.map((each) => referring(each, own));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (name !== '$ref' || typeof each !== 'string') return [name, referring(each, own)];
      const [file = '', pointer = ''] = each.split('#');
      return [name, `#/components/schemas/${file === '' ? own : stemOf(file)}${pointer}`];
    }),
  );
}

/**
 * A description with the calls that its user names, where it has none: `POST /payments NewPayment 201:Payment 400:Problem` is a method, a
 * path, the schema of the request, and the schemas of the replies by status.
 *
 * @throws UsageError for a schema that is not there
 */
export function withCalls(description: Given, calls: readonly string[]): Given {
  const { paths, components } = description;
  if (!isRecord(paths) || Object.keys(paths).length > 0 || !isRecord(components)) return description;
  const schemas = isRecord(components.schemas) ? components.schemas : {};
  const body = (name: string) => ({
    content: { 'application/json': { schema: { $ref: referenceTo(name, schemas) } } },
  });
  const made: Record<string, Record<string, unknown>> = {};
  for (const call of calls) {
    const [method = '', path = '', ...words] = call.trim().split(/\s+/);
    const replies = words.filter((word) => word.includes(':')).map((word) => word.split(':'));
    const [request] = words.filter((word) => !word.includes(':'));
    if (path === '' || replies.length === 0)
      throw new UsageError(
        `"${call}" is no whole call: these schemas say nothing of calls. Name its schemas too: "POST /payments NewPayment 201:Payment 400:Problem".`,
      );
    made[path] = {
      ...made[path],
      [method.toLowerCase()]: {
        ...(request !== undefined && { requestBody: { required: true, ...body(request) } }),
        responses: Object.fromEntries(replies.map(([status = '', name = '']) => [status, body(name)])),
      },
    };
  }
  return { ...description, paths: made };
}

function referenceTo(name: string, schemas: Given): string {
  if (schemas[name] !== undefined) return `#/components/schemas/${name}`;
  for (const [file, schema] of Object.entries(schemas))
    for (const keyword of ['$defs', 'definitions'])
      if (isRecord(schema) && isRecord(schema[keyword]) && schema[keyword][name] !== undefined)
        return `#/components/schemas/${file}/${keyword}/${name}`;
  const known = Object.keys(schemas).slice(0, 12).join(', ');
  throw new UsageError(`There is no schema "${name}". There are: ${known}.`);
}
