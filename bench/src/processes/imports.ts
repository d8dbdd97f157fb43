// Run by itself: how long the packages take to load in a new process, zod apart.
import { serveRequests } from './serve-requests.ts';

serveRequests(
  async () => {
    const start = performance.now();
    await import('zod');
    const zod = performance.now();
    await import('@railyard/core');
    await import('@railyard/connector-pix');
    return { zod: zod - start, ours: performance.now() - zod };
  },
  () => Promise.resolve(),
);
