// Run by itself: the payments that are written by hand, on the database that it is told.
import type { Server } from 'node:http';
import * as z from 'zod';
import { handPayments } from '../by-hand/payments.ts';
import { serveRequests } from './serve-requests.ts';

const requestSchema = z.object({
  port: z.int(),
  databaseUrl: z.string(),
  provider: z.object({ url: z.string(), apiKey: z.string(), webhookSecret: z.string() }),
  callbackUrl: z.string(),
});

let server: Server | undefined;

serveRequests(
  async (request) => {
    const settings = requestSchema.parse(request);
    server = await handPayments(settings);
    return `http://127.0.0.1:${settings.port}`;
  },
  async () => {
    server?.closeAllConnections();
    server?.close();
  },
);
