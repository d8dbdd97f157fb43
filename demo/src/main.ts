import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Demo, startDemo } from './demo.ts';
import { welcome } from './welcome.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

function port(name: string, otherwise: number): number {
  const given = process.env[name];
  if (given === undefined || given === '') return otherwise;
  if (/^\d{1,5}$/.test(given) && Number.parseInt(given, 10) <= 65_535) return Number.parseInt(given, 10);
  throw new Error(`${name} is "${given}"; it should be a port, for example ${otherwise}.`);
}

async function stopOnSignal(demo: Demo): Promise<void> {
  await new Promise<void>((done) => {
    process.once('SIGINT', () => done());
    process.once('SIGTERM', () => done());
  });
  process.stdout.write('\nStopping.\n');
  await demo.stop();
}

try {
  const demo = await startDemo({
    ports: { checkout: port('PORT', 8080), shop: port('SHOP_PORT', 8081), simulator: port('SIMULATOR_PORT', 8082) },
    dataDir: process.env.DATA_DIR === undefined ? join(root, '.railyard') : resolve(process.env.DATA_DIR),
    ...(process.env.CALLBACK_URL && { callbackUrl: process.env.CALLBACK_URL }),
    ...(process.env.DATABASE_URL && { databaseUrl: process.env.DATABASE_URL }),
    ...(process.env.RAILYARD_ENCRYPTION_KEY && { encryptionKey: process.env.RAILYARD_ENCRYPTION_KEY }),
  });
  process.stdout.write(welcome(demo));
  await stopOnSignal(demo);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? explain(error) : String(error)}\n`);
  process.exitCode = 1;
}

/** A port in use is the one thing that goes wrong often. */
function explain(error: Error): string {
  if ('code' in error && error.code === 'EADDRINUSE' && 'port' in error)
    return `Port ${String(error.port)} is in use. Stop what uses it, or set PORT, SHOP_PORT or SIMULATOR_PORT to another one.`;
  return error.message;
}
