import { drive, type HttpResult, type Journal, type JournalEntry, type Transport } from '@railyard/runtime';
import type { Connector } from '@railyard/core';
import { expect, test } from 'vitest';
import { BEGINNING } from '../src/host/world.ts';
import { runChecks } from '../src/run-checks.ts';
import type { Internals } from '../src/subject.ts';
import { bank, options } from './support/bank.ts';
import { tokenBank, tokenOptions } from './support/token-bank.ts';

/** The status with which the bank refuses. */
const REFUSED = 422;

/** A runtime that takes every request without a reply for one that was never sent, and gives each send another key. */
const sendsTwice: Internals = {
  machinery: {
    drive: (run, host, answer) => {
      const journal: Journal = {
        ...host.journal,
        load: async (id) =>
          (await host.journal.load(id)).map((entry) =>
            entry.state === 'begun' ? { ...entry, state: 'not-sent' } : entry,
          ),
      };
      return drive(run, { ...host, journal }, answer);
    },
  },
  transport: (network) => {
    let sends = 0;
    return {
      send(request) {
        sends += 1;
        const key = request.headers['idempotency-key'];
        return network.send(
          key === undefined
            ? request
            : { ...request, headers: { ...request.headers, 'idempotency-key': `${key}${sends}` } },
        );
      },
    };
  },
};

/** A runtime that forgets that a request may have arrived, and takes what its repeat is answered for the answer to the first send. */
const takesRefusals: Internals = {
  machinery: {
    drive: (run, host, answer) => {
      const forgotten = (entry: JournalEntry): JournalEntry =>
        entry.state === 'begun' ? { ...entry, state: 'not-sent' } : { ...entry, sends: 1 };
      const journal = { ...host.journal, load: async (id: string) => (await host.journal.load(id)).map(forgotten) };
      return drive(run, { ...host, journal }, answer);
    },
  },
};

/** A runtime that changes what a provider answers before it reads it. */
const reading = (change: (result: HttpResult) => HttpResult): Internals => ({
  transport: (network) => ({ send: async (request) => change(await network.send(request)) }),
});

/** A runtime that takes a server error for the refusal whose body it has, and one that takes a 401 for a request that was not sent. */
const believesServerErrors = reading((result) =>
  result.kind === 'reply' && result.status >= 500 ? { ...result, status: REFUSED } : result,
);
const forgetsUnauthorized = reading((result) =>
  result.kind === 'reply' && result.status === 401 ? { kind: 'not-sent', why: 'refused' } : result,
);

/** A runtime that takes a limit on requests for a refusal. */
const takesLimits = reading((result) =>
  result.kind === 'reply' && result.status === 429
    ? { ...result, status: REFUSED, body: JSON.stringify({ error: 'slow down' }) }
    : result,
);

/** A runtime that takes the last of two values under one name. */
const takesTheLast = reading((result) =>
  result.kind === 'reply' ? { ...result, body: JSON.stringify(JSON.parse(result.body)) } : result,
);
/** A runtime that sends a key again however old it is. */
const outlivesKeys: Internals = {
  machinery: { drive: (run, { now: _now, ...host }, answer) => drive(run, { ...host, now: () => BEGINNING }, answer) },
};
/** The bank, whose keys live for a day. */
const forADay = (): Connector => {
  const connector = bank();
  const endpoints = connector.endpoints.map((each) => {
    if (each.repeat === 'keyed') Object.assign(each, { keyed: { forHours: 24 } });
    return each;
  });
  return { ...connector, endpoints };
};
/** A runtime that writes credentials down. */
const journalsTokens: Internals = {
  machinery: {
    drive: (run, host, answer) => {
      let token: unknown;
      const credentials: typeof host.credentials = {
        ...host.credentials,
        get: async (name, fetch) => {
          const value = await host.credentials.get(name, fetch);
          token = value;
          return value;
        },
      };
      const journal: Journal = {
        ...host.journal,
        finish: (id, step, reply) =>
          host.journal.finish(
            id,
            step,
            typeof reply === 'object' && reply !== null && !Array.isArray(reply)
              ? { ...reply, token: JSON.stringify(token) }
              : reply,
          ),
      };
      return drive(run, { ...host, credentials, journal }, answer);
    },
  },
};

/** A transport that goes where it is told to. */
const followsRedirects: Internals = {
  transport: (network): Transport => ({
    async send(request) {
      const result = await network.send(request);
      const location = result.kind === 'reply' && result.status === 302 ? result.headers.location : undefined;
      return location === undefined ? result : network.send({ ...request, url: location });
    },
  }),
};

const failedWith = async (...given: Parameters<typeof runChecks>) => {
  const { results } = await runChecks(...given);
  return results.filter(({ status }) => status === 'failed').map(({ id }) => id);
};

test('a runtime that sends twice after a crash is caught', async () => {
  const failed = await failedWith(bank(), options, sendsTwice);
  expect(failed).toContain('crash-around-calls');
  expect(failed).toContain('keys-are-stable');
});

test('a runtime that takes the refusal of a repeat for an answer is caught, and by nothing else', async () => {
  const failed = await failedWith(bank(), options, takesRefusals);
  expect(failed).toEqual(['refused-repeat-is-no-decline', 'refused-repeat-in-modifications']);
});

test.each([
  ['takes a server error for a refusal', 'reply-server-errors', believesServerErrors],
  ['takes a 401 for a request that was not sent', 'refused-repeat-is-no-decline', forgetsUnauthorized],
  ['takes a 429 for a refusal', 'reply-too-many-requests', takesLimits],
  ['takes the last of two values under one name', 'reply-name-twice', takesTheLast],
])('a runtime that %s is caught', async (_what, check, internals) => {
  expect(await failedWith(bank(), options, internals)).toContain(check);
});

test('a runtime that sends a key again after the provider has forgotten it is caught, and by nothing else', async () => {
  expect(await failedWith(forADay(), options)).toEqual([]);
  expect(await failedWith(forADay(), options, outlivesKeys)).toEqual(['keys-are-not-outlived']);
});

test('a runtime that journals a token is caught', async () => {
  expect(await failedWith(tokenBank, tokenOptions)).toEqual([]);
  expect(await failedWith(tokenBank, tokenOptions, journalsTokens)).toContain('secrets-not-journaled');
});

test('a runtime that follows a redirect is caught', async () => {
  expect(await failedWith(bank(), options, followsRedirects)).toContain('redirects-are-not-followed');
});
