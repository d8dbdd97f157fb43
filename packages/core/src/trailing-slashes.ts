/**
 * An address without the slashes at its end, so that a path can be put behind it. By hand, because a pattern looks for the end from every
 * slash.
 *
 * @example withoutTrailingSlashes('https://pay.example//') // 'https://pay.example'
 */
export function withoutTrailingSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}
