export function plainLatin(text: string): string;
export function isPlainLatinName(text: string): boolean;
