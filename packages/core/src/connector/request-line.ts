import type * as z from 'zod';
import type { Declared, Endpoint, EndpointMaker, Repeats, ReplyOf, ReplyVariants } from './endpoint.ts';

type HttpMethod = Endpoint<never, never, never>['method'];

/** A method and a path below the base URL, with `{name}` places, as descriptions of APIs write them: `POST /charges/{id}/refunds`. */
export type RequestLine = `${HttpMethod} /${string}`;

/** Makes an endpoint of its name, the line of its requests and the rest, or of one declaration that has all. */
export interface LinedEndpointMaker<S> extends EndpointMaker<S> {
  <I, B extends z.ZodType, FI, FR>(
    name: string,
    line: RequestLine,
    declared: Declared<S, I, z.output<B>> & Repeats<S, I, z.output<B>, FI, FR> & { readonly reply: B },
  ): Endpoint<S, I, z.output<B>>;
  <I, const V extends ReplyVariants, FI, FR>(
    name: string,
    line: RequestLine,
    declared: Declared<S, I, ReplyOf<V>> & Repeats<S, I, ReplyOf<V>, FI, FR> & { readonly replies: V },
  ): Endpoint<S, I, ReplyOf<V>>;
}

/** A declaration beside its line: whatever the overloads of `LinedEndpointMaker` let through. */
export type AnyLinedDeclaration<S, I, R, FI, FR> = Declared<S, I, R> &
  Repeats<S, I, R, FI, FR> &
  ({ readonly reply: z.ZodType } | { readonly replies: ReplyVariants });

const METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * The method and the path of a line.
 *
 * @throws Error for a line that begins with no method, which only the compiler of TypeScript refuses
 */
export function requestLine(line: RequestLine): { readonly method: HttpMethod; readonly path: string } {
  const method = METHODS.find((each) => line.startsWith(`${each} /`));
  if (method === undefined)
    throw new Error(`"${line}" is no request line. Write a method and a path: POST /charges/{id}.`);
  return { method, path: line.slice(method.length + 1) };
}
