import { createRegistry, describeMethods, jsonSchemaOf, OPERATIONS } from '@railyard/core/registry';
import * as z from 'zod';
import { type Check, NO_SAMPLE, notApplicable, over, textOf } from '../check.ts';
import type { Finding } from '../finding.ts';
import { resolve, validate } from '../host/world.ts';
import { asText } from '../leaves.ts';
import { outcomesOf, runsOf } from '../runs.ts';
import type { Case, Subject } from '../subject.ts';
import { walk } from '../walk.ts';

const methodsOf = ({ connector }: Subject) => connector.serves.map(({ method }) => method);

/** The view or the question that the payer of a sample meets. */
function metBy(one: Case): readonly string[] {
  const [first] = runsOf(one);
  if (first === undefined) return [];
  const { nextActions, end } = walk(first.run, first.options);
  const show =
    end.kind === 'done' && 'status' in end.report && end.report.status === 'pending' ? end.report.show : undefined;
  const asked = nextActions.map(({ kind }) => (kind === 'visit' ? 'redirect' : kind));
  return [...new Set([...asked, ...(show ? [show.kind] : [])])];
}

export const schemaChecks: readonly Check[] = [
  {
    id: 'connector-declared',
    level: 'required',
    title: 'the connector says what it is: id, version, title, methods and endpoints',
    run({ connector: { id, version, title, serves, endpoints } }) {
      const found: Finding[] = [];
      if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(id))
        found.push({ path: 'id', says: `"${id}" is no id. Use a-z, 0-9 and "-".` });
      if (!/^\d+\.\d+\.\d+/.test(version))
        found.push({ path: 'version', says: `"${version}" is no version. Give the package's own.` });
      if (title.trim() === '')
        found.push({ path: 'title', says: 'The title is empty. Say what the connector is for.' });
      if (serves.length === 0) found.push({ path: 'serves', says: 'It serves no method.' });
      if (endpoints.length === 0) found.push({ path: 'endpoints', says: 'It declares no endpoint.' });
      return found;
    },
  },
  {
    id: 'methods-fit-one-registry',
    level: 'required',
    title: 'the methods of the connector fit into one registry',
    run(subject) {
      createRegistry(methodsOf(subject));
      return [];
    },
  },
  {
    id: 'samples-are-valid',
    level: 'required',
    title: 'every operation has a sample that the registry takes',
    run: ({ cases, caseProblems }) =>
      over([...cases, ...caseProblems], 'No method has an operation.', (each) => ('says' in each ? [each] : [])),
  },
  {
    id: 'declining-samples-move-nothing',
    level: 'required',
    title: 'a sample that the flow declines ends with the code that it names, and before a request that moves money',
    run: ({ declining }) =>
      over(declining, 'No sample names a code by which its flow declines.', (one) =>
        runsOf(one).flatMap(({ path, flow, run, options }): Finding[] => {
          const walked = walk(run, options);
          // The others act on a payment that was never made.
          if (flow !== one.operation) return [];
          const [outcome] = outcomesOf(walked);
          const code = outcome?.status === 'declined' ? outcome.code : outcome?.status;
          const moving = walked.requests.filter(({ endpoint }) => endpoint.repeat !== 'safe');
          return code === one.sample.declines && moving.length === 0
            ? []
            : [
                {
                  path,
                  says: `The sample says declines: '${one.sample.declines}'; the flow ends ${code ?? walked.end.kind}, after ${moving.length} requests that are not safe.`,
                },
              ];
        }),
      ),
  },
  {
    id: 'json-schema',
    level: 'required',
    title: 'settings and parameters have a JSON Schema that is plain data',
    run(subject) {
      const found: Finding[] = [];
      const registry = createRegistry(methodsOf(subject));
      const attempt = (path: string, make: () => unknown) => {
        try {
          JSON.parse(JSON.stringify(make()));
        } catch (error) {
          found.push({ path, says: `It has no JSON Schema: ${textOf(error)}` });
        }
      };
      attempt('settings', () => z.toJSONSchema(subject.connector.settings, { io: 'input', unrepresentable: 'any' }));
      for (const { key, operations } of registry.methods)
        for (const operation of OPERATIONS.filter((each) => operations[each] !== undefined))
          attempt(`methods.${key}.${operation}`, () => jsonSchemaOf(registry, key, operation));
      return found;
    },
  },
  {
    id: 'schema-round-trip',
    level: 'required',
    title: 'a session that was written as JSON and read again gives the flow the same',
    run({ cases }) {
      return over(cases, NO_SAMPLE, ({ path, deployment, request, sample: { payer = {} } }) => {
        const [once, again] = [request, JSON.parse(JSON.stringify(request))].map((each) => {
          const validation = validate(deployment, each);
          return validation.ok ? asText(resolve(deployment, validation.session, payer)) : asText(validation.issues);
        });
        return once === again
          ? []
          : [
              {
                path: `sessions.${path}`,
                says: 'It is another session after a round trip through JSON. Use plain data.',
              },
            ];
      });
    },
  },
  {
    id: 'completion-declared',
    level: 'required',
    title: 'what the payer is shown and asked is among the completions of the method',
    run({ cases }) {
      const met = cases.map((one) => ({ one, kinds: metBy(one) })).filter(({ kinds }) => kinds.length > 0);
      return over(met, 'No sample shows the payer anything or asks for anything.', ({ one, kinds }) => {
        const declared = one.method.operations[one.operation]?.completion ?? [];
        return kinds
          .filter((kind) => !declared.some((each) => each === kind))
          .map((kind) => ({
            path: `methods.${one.method.key}.${one.operation}.completion`,
            says: `The flow brings about "${kind}". Name it under completion.`,
          }));
      });
    },
  },
  {
    id: 'fields-have-labels',
    level: 'recommended',
    title: 'every parameter that the payer or the account may give has a label',
    run(subject) {
      const described = describeMethods({ methods: methodsOf(subject) });
      const parameters = described.flatMap(({ key, operations }) =>
        operations.flatMap(({ operation, parameters: own }) =>
          own.flatMap(({ name, label, sources }) =>
            sources.length === 0 ? [] : [{ path: `methods.${key}.${operation}.${name}`, name, label }],
          ),
        ),
      );
      return over(parameters, 'The payer and the account give no parameter.', ({ path, name, label }) =>
        label === name ? [{ path, says: 'It has no label. Wrap the schema in field(…, { label }).' }] : [],
      );
    },
  },
  {
    id: 'field-examples-are-valid',
    level: 'recommended',
    title: 'the example of every field is taken by its own schema',
    run(subject) {
      const found: Finding[] = [];
      let examples = 0;
      for (const { key, operations } of methodsOf(subject))
        for (const [operation, spec] of Object.entries(operations))
          for (const schema of 'parameters' in spec ? [spec.parameters] : Object.values(spec.variants.cases))
            for (const [name, each] of Object.entries(schema.shape)) {
              const example: unknown = z.toJSONSchema(each, { io: 'input', unrepresentable: 'any' })['x-railyard'];
              const text =
                typeof example === 'object' && example !== null && 'example' in example ? example.example : undefined;
              if (typeof text !== 'string') continue;
              examples += 1;
              const takes = z.safeParse(each, text).success || z.safeParse(each, Number(text)).success;
              if (!takes)
                found.push({
                  path: `methods.${key}.${operation}.${name}`,
                  says: `Its example "${text}" is refused by its schema.`,
                });
            }
      return examples === 0 ? notApplicable('No field has an example.') : found;
    },
  },
];
