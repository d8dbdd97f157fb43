import type { Command } from './command.ts';

interface Entry {
  /** Its line in the list of commands. */
  readonly summary: string;
  load(): Promise<Command>;
}

/** Each command by its first word. Only the command that is used is loaded, because loading takes most of the time. */
export const COMMANDS: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  [
    'validate',
    {
      summary: 'check a session request before it is sent',
      load: async () => (await import('./validate.ts')).validate,
    },
  ],
  [
    'methods',
    {
      summary: 'list the payment methods that are installed',
      load: async () => (await import('./methods.ts')).methods,
    },
  ],
  [
    'describe',
    {
      summary: 'show the parameters, rules and limits of a method, and what the payer sees',
      load: async () => (await import('./describe.ts')).describe,
    },
  ],
  [
    'schema',
    {
      summary: 'write the JSON Schema of a method’s parameters',
      load: async () => (await import('./schema.ts')).schema,
    },
  ],
  [
    'preview',
    {
      summary: 'show the requests that a connector would send, each field with its origin',
      load: async () => (await import('./preview.ts')).preview,
    },
  ],
  ['sign', { summary: 'make the hash of a message', load: async () => (await import('./sign.ts')).sign }],
  [
    'verify',
    {
      summary: 'check a hash or a signature, and name the mistake if it is wrong',
      load: async () => (await import('./verify.ts')).verify,
    },
  ],
  [
    'session',
    {
      summary: 'create a session at a running service',
      load: async () => (await import('./session.ts')).session,
    },
  ],
  [
    'listen',
    {
      summary: 'receive callbacks, check their signatures and forward them to a local shop',
      load: async () => (await import('./listen.ts')).listen,
    },
  ],
  [
    'trigger',
    {
      summary: 'send a signed callback of any type to an address',
      load: async () => (await import('./trigger.ts')).trigger,
    },
  ],
  [
    'diff',
    {
      summary: 'compare two versions of a connector, and name the version bump that the changes need',
      load: async () => (await import('./diff.ts')).diff,
    },
  ],
  [
    'drift',
    {
      summary: 'list where providers’ replies differ from the connectors, with samples and the version bump to add',
      load: async () => (await import('./drift.ts')).drift,
    },
  ],
  [
    'doctor',
    {
      summary: 'check accounts: settings, credentials, notifications',
      load: async () => (await import('./doctor.ts')).doctor,
    },
  ],
  [
    'conform',
    {
      summary: 'run the conformance kit on a connector',
      load: async () => (await import('./conform.ts')).conform,
    },
  ],
  [
    'check',
    {
      summary: 'compare a connector’s goldens and requests with the official description of a provider’s API',
      load: async () => (await import('./check.ts')).check,
    },
  ],
  [
    'facts',
    {
      summary: 'reduce the official description of a provider’s API to facts that tests check requests against',
      load: async () => (await import('./facts.ts')).facts,
    },
  ],
  [
    'import',
    {
      summary: 'write the beginning of a connector from the description of a provider’s API',
      load: async () => (await import('./import.ts')).importDescription,
    },
  ],
  [
    'record',
    {
      summary: 'record an exchange with a provider as a golden, without its secrets',
      load: async () => (await import('./record.ts')).record,
    },
  ],
  [
    'serve',
    {
      summary: 'start the checkout with the connectors and a simulated provider, for a trial',
      load: async () => (await import('./serve.ts')).serve,
    },
  ],
  [
    'clock',
    {
      summary: 'move the time of a merchant’s test payments forward at a running service',
      load: async () => (await import('./clock.ts')).clock,
    },
  ],
  [
    'playground',
    {
      summary: 'try a connector on a page: form, live request, simulated provider, notifications',
      load: async () => (await import('./playground.ts')).playground,
    },
  ],
]);
