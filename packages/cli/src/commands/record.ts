import type { Steps } from '@railyard/core';
import type { CredentialEffect } from '@railyard/core/driver';
import { withoutTrailingSlashes } from '@railyard/core/protocol';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Transport } from '@railyard/runtime';
import * as z from 'zod';
import { ACCOUNT_OPTIONS, type Account, accountFor } from '../connectors/accounts.ts';
import { CONNECTOR_OPTIONS, findConnectors } from '../connectors/find-connectors.ts';
import { readJson } from '../connectors/read-json.ts';
import type { Io } from '../output/io.ts';
import { jsonText } from '../output/json.ts';
import { type Circumstances, type Exchange, goldenOf } from '../record/golden.ts';
import { knownSettings } from '../record/known-texts.ts';
import { filled, textsForPlaces } from '../record/places.ts';
import { startProxy } from '../record/proxy.ts';
import { type Answer, type Command, type Given, textOf, UsageError } from './command.ts';

export const record: Command = {
  usage: 'record FILE [--out FILE] | record --proxy [--out FILE]',
  help: 'Sends a request to a provider’s sandbox and records the exchange as a golden for the conformance kit. With --proxy it forwards the requests of a running program until you stop it. FILE is JSON: { "endpoint": NAME, "input": … } as the connector builds it, or { "request": { "method", "path", "headers", "body" } }. Places such as {reference}, {key}, {modification}, {notify_url} and {return_url} are filled in for the sandbox and are places again in the file, as the kit reads them. Settings become places too, as {settings.api_key}. Card numbers, codes and tokens are replaced. The command lists the replaced values. Read the file before you commit it.',
  options: {
    ...ACCOUNT_OPTIONS,
    out: { type: 'string', hint: 'FILE', says: 'where the exchanges go; default: standard output' },
    source: { type: 'string', hint: 'TEXT', says: 'where the exchange is documented' },
    when: { type: 'string', hint: 'TEXT', says: 'the situation in which it happens' },
    proxy: { type: 'boolean', says: 'forward requests to the account’s provider' },
    port: { type: 'string', hint: 'PORT', says: 'of the proxy; default: any free port' },
    ...CONNECTOR_OPTIONS,
  },
  words: [0, 1],
  async run(given, io) {
    const [name] = given.positionals;
    const proxied = given.values['proxy'] === true;
    if (proxied === (name !== undefined)) throw new UsageError('Give a FILE with a request, or --proxy.');
    const found = await findConnectors(given, io.cwd);
    const texts = textsForPlaces();
    const wanted = name === undefined ? undefined : readWanted(filled(await readJson(name, io), texts), name);
    const account = await accountFor(
      given,
      found,
      io,
      ({ endpoints }) => wanted?.endpoint === undefined || endpoints.some((each) => each.name === wanted.endpoint),
    );
    if (account.id === 'sample')
      throw new UsageError('An account of the sandbox is needed: name it with --mid or --settings.');
    const { kyTransport } = await import('@railyard/runtime');
    const transport = kyTransport();
    try {
      const exchanges =
        wanted === undefined
          ? await listen(account, given, io, transport)
          : [await exchange(account, wanted, transport, texts)];
      return await written(exchanges, account, given, io, texts);
    } finally {
      await transport.close();
    }
  },
};

const wantedSchema = z.union([
  z.strictObject({ endpoint: z.string(), input: z.unknown() }),
  z.strictObject({
    endpoint: z.string().optional(),
    request: z.strictObject({
      method: z.string().default('GET'),
      path: z.string().startsWith('/'),
      headers: z.record(z.string(), z.string()).default({}),
      body: z.unknown().optional(),
    }),
  }),
]);

type Wanted = z.output<typeof wantedSchema>;

/** Place → the value that is sent in it. */
type Texts = ReadonlyMap<string, string>;

const placesByText = (texts: Texts) => [...texts].map(([place, text]) => [text, place] as const);

function readWanted(value: unknown, name: string): Wanted {
  const parsed = wantedSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError(
    `${name} describes no request. Write { "endpoint": NAME, "input": … } or { "request": { "method": "POST", "path": "/…", "headers": {…}, "body": {…} } }.`,
  );
}

async function exchange(account: Account, wanted: Wanted, transport: Transport, texts: Texts): Promise<Exchange> {
  const request = await requestOf(account, wanted, transport, texts);
  const reply = await transport.send(request);
  if (reply.kind !== 'reply') throw new UsageError(`${reply.why} Check the address of the account.`);
  return { request, reply };
}

async function requestOf(account: Account, wanted: Wanted, transport: Transport, texts: Texts) {
  const { connector, settings } = account;
  if ('request' in wanted) {
    const { method, path, headers, body } = wanted.request;
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'object' ? { 'content-type': 'application/json' } : {};
    const url = withoutTrailingSlashes(connector.baseUrl(settings)) + path;
    return {
      method,
      url,
      headers: { ...type, ...headers },
      ...(text !== undefined && { body: text }),
      timeoutMs: 45_000,
      maxReplyBytes: 1_048_576,
    };
  }
  const { encodeRequest } = await import('@railyard/runtime');
  const endpoint = connector.endpoints.find(({ name }) => name === wanted.endpoint);
  if (endpoint === undefined) throw new UsageError(`${connector.id} has no endpoint "${wanted.endpoint}".`);
  const key = texts.get('{key}') ?? '';
  const { input } = wanted;
  const credential = endpoint.access && (await credentialOf(account, endpoint.access, transport, key));
  const wire = orUsageError(endpoint.name, () => endpoint.request(input, { settings, key, credential }));
  const moment = { now: Math.floor(Date.now() / 1000), id: key };
  return encodeRequest(connector, settings, endpoint, wire, moment, ({ part }) => {
    throw new UsageError(`${endpoint.name} needs card.${part}. Give the whole request instead: { "request": … }.`);
  });
}

/** The account's token, which the request carries. */
async function credentialOf(
  { connector, settings }: Account,
  access: CredentialEffect,
  transport: Transport,
  key: string,
): Promise<unknown> {
  const { askSafely } = await import('@railyard/runtime');
  const asked = function* (): Steps<unknown> {
    return yield access;
  };
  const answer = await askSafely({ connector, settings, transport, key }, asked());
  if (answer.kind === 'answered') return answer.value;
  const why = 'why' in answer ? answer.why : `the provider answered ${answer.status}`;
  throw new UsageError(`${access.endpoint.name} gave no token: ${why}. Check the settings of the account.`);
}

/** The builder of an endpoint fails in words of its own where a file gives it less than the connector's code does. */
function orUsageError<T>(endpoint: string, build: () => T): T {
  try {
    return build();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `${endpoint} cannot be built from that input (${why}). Give all that its code takes, or the whole request: { "request": … }.`,
    );
  }
}

async function listen(account: Account, given: Given, io: Io, transport: Transport): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const port = Number(textOf(given, 'port') ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError('--port takes a number up to 65535.');
  const proxy = await startProxy(account.connector.baseUrl(account.settings), port, transport, (each) => {
    exchanges.push(each);
    io.err.write(`${each.request.method} ${new URL(each.request.url).pathname}: ${each.reply.status}\n`);
  });
  io.err.write(`Send requests to ${proxy.url}; Ctrl-C ends the recording.\n`);
  await io.stopped();
  await proxy.close();
  return exchanges;
}

async function written(
  exchanges: readonly Exchange[],
  { connector, settings }: Account,
  given: Given,
  io: Io,
  texts: Texts,
): Promise<Answer> {
  const baseUrl = connector.baseUrl(settings);
  const circumstances: Circumstances = {
    baseUrl,
    connector,
    known: new Map([...knownSettings(connector, settings), ...placesByText(texts)]),
    source: textOf(given, 'source') ?? `recorded from ${new URL(baseUrl).host}; name the chapter of its documentation`,
    when: textOf(given, 'when'),
  };
  const recorded = exchanges.map((each) => goldenOf(each, circumstances));
  const goldens = recorded.map(({ golden }) => golden);
  const scrubbed = recorded.flatMap((each, index) => each.scrubbed.map((one) => ({ exchange: index + 1, ...one })));
  const out = textOf(given, 'out');
  if (out !== undefined) await writeFile(resolve(io.cwd, out), `${jsonText(goldens)}\n`);
  return {
    code: 0,
    json: { goldens, scrubbed, ...(out !== undefined && { out }) },
    text(look) {
      const table = look.table(
        ['exchange', 'place', 'replaced'],
        scrubbed.map((each) => [String(each.exchange), each.place, each.what]),
      );
      const told = scrubbed.length === 0 ? 'Nothing had to be replaced.' : table;
      if (out === undefined) {
        io.err.write(`${told}\n`);
        return jsonText(goldens);
      }
      return `${goldens.length} exchanges are in ${out}. Read it before you commit it.\n${told}`;
    },
  };
}
