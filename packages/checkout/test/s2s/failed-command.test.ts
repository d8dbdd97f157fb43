import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { failed } from '../../src/http/app.ts';
import type { HttpEnv } from '../../src/http/basics/answers.ts';
import { COMMAND_PATHS, inCommandForm } from '../../src/http/commands/routes.ts';
import { createLog } from '../../src/index.ts';
import { DatabaseUnavailableError } from '../../src/storage/index.ts';

test.each([
  [500, new Error('relation "cards" has a fault')],
  [503, new DatabaseUnavailableError('unknown', new Error('lost'))],
])(
  'a command that ends with %s for a fault of the service is told as unknown, never as refused',
  async (status, fault) => {
    const app = new Hono<HttpEnv>();
    app.onError(failed({ log: createLog({ write: () => undefined }) }));
    app.use(inCommandForm);
    app.post('*', () => {
      throw fault;
    });
    for (const path of COMMAND_PATHS) {
      const reply = await app.request(path, { method: 'POST', body: 'action=SALE' });
      const told: Readonly<Record<string, unknown>> = Object(await reply.json());
      expect([reply.status, told['error_code']]).toEqual([status, status]);
      expect(told['error_message']).toContain('Whether this request was carried out is not known');
      expect(told).not.toHaveProperty('result');
    }
  },
);
