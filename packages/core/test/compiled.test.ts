import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as fc from '../../../test/support/properties.ts';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Compile, createRegistry, type Profile, resolveMethod } from '../src/registry.ts';
import { regional, today, voucher } from './method/support.ts';
import { bodyOperations, materialise, sessionInputs } from './support/bad-inputs.ts';
import { fullRequest, mutatedRequest } from './support/mutate.ts';

const methods = [voucher, regional];

/** A schema that cannot be compiled would be checked by the plain form without a word; here it is an error. */
const strictly: Compile = (schema) => z.compile(schema, { strict: true });

const plain = createRegistry(methods);
const compiled = createRegistry(methods, { compile: strictly });

const profiles: readonly (Profile | undefined)[] = [
  undefined,
  {
    methods: {
      voucher: { method: 'voucher', supplied: ['branch'], values: { branch: '1001' }, required: ['note'] },
      regional: { method: 'regional', strict_documents: true },
    },
  },
];

/** Everything that a registry says about a request: with plain schemas and with compiled ones. */
function answers(input: unknown) {
  return [plain, compiled].map((registry) => [
    registry.parse(input, { today }),
    ...profiles.map((profile) => registry.validate(input, { today, ...(profile && { profile }) })),
    inTwoSteps(registry, input),
  ]);
}

function inTwoSteps(registry: typeof plain, input: unknown) {
  const parsed = registry.parse(input, { today, openAmount: () => true });
  return parsed.ok
    ? [
        registry.validateParsed(parsed.session, { today }),
        methods.map(({ key }) => resolveMethod(registry, parsed.session, key, { mid: { branch: '1001' }, today })),
      ]
    : parsed;
}

/** Schemas and their records are the same objects in both forms, and would only be compared at length. */
const bare = (value: unknown) =>
  JSON.stringify(value, (key, each: unknown) =>
    key === 'schema' ? undefined : typeof each === 'bigint' ? `${each}n` : each,
  );

const corpus = sessionInputs.filter((input) => input.patch.every(({ op }) => bodyOperations.has(op)));

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

describe('compiled schemas', () => {
  it('say the same as plain ones about every bad input', () => {
    expect(corpus.length).toBeGreaterThan(200);
    for (const input of corpus) {
      const [one, other] = answers(jsonOf(materialise(input))).map(bare);
      expect(other, input.id).toEqual(one);
    }
  });

  it('say the same as plain ones about a request that uses every block', () => {
    const [one, other] = answers(fullRequest);
    expect(one?.[0]).toMatchObject({ ok: true });
    expect(other).toEqual(one);
  });

  it('say the same as plain ones about whatever is sent', () => {
    fc.assert(
      fc.property(mutatedRequest, (request) => {
        const [one, other] = answers(request).map(bare);
        expect(other).toEqual(one);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a request that is read first and whose methods are looked at afterwards', () => {
  it('gets the answer of a request that is checked at once', () => {
    fc.assert(
      fc.property(mutatedRequest, (request) => {
        const parsed = plain.parse(request, { today, openAmount: () => true });
        const once = plain.validate(request, { today });
        const twice = parsed.ok ? plain.validateParsed(parsed.session, { today }) : undefined;
        if (twice === undefined) expect(once.ok).toBe(false);
        else expect(bare(twice)).toEqual(bare(once));
      }),
      { numRuns: 300 },
    );
  });

  it('is refused where its methods do not let the payer enter the amount', () => {
    const { success_url, merchant_key, hash, operation, methods } = fullRequest;
    const order = { number: 'order-1001', currency: 'USD', description: 'Two tickets' };
    const request = { success_url, merchant_key, hash, operation, methods, order };
    const parsed = plain.parse(request, { today, openAmount: () => true });
    if (!parsed.ok) throw new Error(parsed.issues.map(({ path }) => path).join());
    const checked = plain.validateParsed(parsed.session, { today });
    expect(checked).toEqual(plain.validate(request, { today }));
    expect(checked.ok ? [] : checked.issues.map(({ path }) => path)).toContain('order.amount');
  });
});

describe('where code generation is forbidden', () => {
  afterEach(() => z.config({ jitless: false }));

  it('a registry that asks for compiled schemas answers the same', () => {
    const fixture = fileURLToPath(new URL('fixtures/no-code-generation.ts', import.meta.url));
    const args = ['--disallow-code-generation-from-strings', '--conditions=@railyard/source', fixture];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    const wrong = { ...fullRequest, success_url: 'x', methods: ['none'] };
    const expected = [fullRequest, wrong].map((request) => plain.validate(request, { today }));
    expect(JSON.parse(stdout)).toEqual(JSON.parse(bare({ forbidden: true, answers: expected })));
  });

  it('zod’s own setting is respected', () => {
    z.config({ jitless: true });
    const asked: unknown[] = [];
    const registry = createRegistry(methods, {
      compile: (schema) => {
        asked.push(schema);
        return schema;
      },
    });
    expect(registry.parse(fullRequest, { today }).ok).toBe(true);
    expect(asked).toEqual([]);
  });
});
