import { text } from '@railyard/core';

/** The longest text of a product where the protocol states no length: the longest that it states for any of them. */
const LONGEST = 255;

/** A name, a code or a kind: one line. */
export const productText = (max = LONGEST) => text({ max });
