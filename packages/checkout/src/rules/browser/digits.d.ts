export function asciiDigits(text: string): string;
