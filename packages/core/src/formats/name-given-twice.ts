/** The place in an object or a list of JSON that is being read. */
interface Place {
  /** The names that the object has so far; none of a list. */
  readonly names: Set<string>;
  at: string | number;
}

/**
 * The first name that an object of a JSON text gives a second value, with the names around it: `order.amount`. `JSON.parse` must have read
 * the text before.
 */
export function nameGivenTwice(json: string): string | undefined {
  const places: Place[] = [];
  let string = '';
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at];
    const place = places.at(-1);
    if (sign === '"') {
      const end = endOfString(json, at);
      string = json.slice(at, end + 1);
      at = end;
    } else if (sign === '{') places.push({ names: new Set(), at: '' });
    else if (sign === '[') places.push({ names: new Set(), at: 0 });
    else if (sign === '}' || sign === ']') places.pop();
    else if (sign === ',' && typeof place?.at === 'number') place.at += 1;
    else if (sign === ':' && place !== undefined) {
      const name: string = JSON.parse(string);
      place.at = name;
      if (place.names.has(name)) return places.map((each) => each.at).join('.');
      place.names.add(name);
    }
  }
  return undefined;
}

/** Where the string of JSON that begins at a place ends: at the first quote behind an even number of backslashes. */
export function endOfString(json: string, begin: number): number {
  for (let end = json.indexOf('"', begin + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslash = end;
    while (json[backslash - 1] === '\\') backslash -= 1;
    if ((end - backslash) % 2 === 0) return end;
  }
  return json.length;
}
