import * as z from 'zod';
import type { Child } from './processes/child.ts';

const answerSchema = z.object({ seconds: z.number(), failed: z.int() });

/** A request to a load process; the other fields are each process's own. */
interface LoadRequest {
  readonly count: number;
  readonly [name: string]: unknown;
}

/**
 * How many a second a load process managed.
 *
 * @throws Error when any of them failed: a refused request is quickly answered and would look like speed.
 */
export async function perSecond(child: Child, request: LoadRequest): Promise<number> {
  const { seconds, failed } = answerSchema.parse(await child.ask(request));
  if (failed > 0) throw new Error(`${failed} of ${request.count} requests failed.`);
  return request.count / seconds;
}
