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

/** The method and the path of a line. */
export function requestLine(line: RequestLine): { readonly method: HttpMethod; readonly path: string } {
  const space = line.indexOf(' ');
  // The type of a line begins with a method.
  return { method: line.slice(0, space) as HttpMethod, path: line.slice(space + 1) };
}
