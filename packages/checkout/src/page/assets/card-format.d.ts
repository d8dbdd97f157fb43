/** The text of an input, and where its caret is. */
export interface Typed {
  readonly text: string;
  readonly caret: number;
}

export type Show = (text: string, inputType: string) => string | undefined;

export function shownNumber(text: string): string | undefined;
export function shownExpiry(text: string, inputType: string): string | undefined;
export function shownCode(text: string, brandName: string | undefined): string | undefined;
export function afterEdit(typed: Typed, before: string, inputType: string, show: Show): Typed;
