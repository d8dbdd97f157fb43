import { TEXTS } from '../issues/texts.ts';
import { isCleanText, isLongerThan } from './characters.ts';
import { checkedString } from './fields.ts';

/** Present in every browser and in Node; declared here because this package is compiled without either's types. */
declare const URL: { canParse(text: string): boolean };

const maxLength = 1024;

/**
 * An absolute http or https address without a user name. The address parser of the platform is too kind to be the only
 * judge: it mends `https:/\host`, drops tabs and reads `https://shop.example@evil.example` as evil.example.
 */
const grammar =
  /^https?:\/\/(?:\[[0-9a-f:.]+\]|[\p{L}\p{N}\p{M}_](?:[\p{L}\p{N}\p{M}_.-]*[\p{L}\p{N}\p{M}_])?)(?::\d{1,5})?(?:[/?#][^\s\\]*)?$/iu;

/**
 * An address of nothing but ASCII, whose host is names of letters and digits with single dashes, the last of letters alone: no digits that
 * the parser takes for an address, no Punycode that it could refuse. It has the grammar, and the parser takes it; a test compares them. So
 * nearly every address is, and the parser costs three times as much as all else.
 */
const plain = /^https?:\/\/(?:[a-z\d]+(?:-[a-z\d]+)*\.)*[a-z]+(?:[/?#][!-[\]-~]*)?$/;

/**
 * The schema of an address that the payer's browser is sent to.
 *
 * @example redirectUrl().safeParse('javascript:alert(1)').success // false
 */
export function redirectUrl() {
  return checkedString(
    (text) => {
      if (isLongerThan(text, maxLength)) return TEXTS.tooLong(maxLength);
      const isUrl = plain.test(text) || (isCleanText(text) && grammar.test(text) && URL.canParse(text));
      return isUrl ? undefined : TEXTS.url;
    },
    { maxLength, format: 'uri' },
  );
}
