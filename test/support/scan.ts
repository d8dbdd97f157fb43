import {
  BinaryBitmap,
  Code128Reader,
  DecodeHintType,
  GlobalHistogramBinarizer,
  ITFReader,
  RGBLuminanceSource,
} from '@zxing/library';
import jsQR from 'jsqr';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import type { Bar } from './read-pdf.ts';

/** Dots of the scanner for the narrowest bar: a whole number, because the library counts the white before the first bar in them. */
const DOTS = 10;
const ROWS = 40;

const READERS = { itf: new ITFReader(), 'code-128': new Code128Reader() };

/** Of any even length, where the library expects those of goods. */
const LENGTHS = Int32Array.from({ length: 40 }, (_, at) => 2 * (at + 1));

/** The text that a scanner reads from bars, which is another library than the one that made them. */
export function scanned(bars: readonly Bar[], symbology: keyof typeof READERS, pageWidth = 595): string {
  const perPoint = DOTS / Math.min(...bars.map((bar) => bar.width));
  const width = Math.round(pageWidth * perPoint);
  const row = new Uint8ClampedArray(width).fill(255);
  for (const bar of bars) row.fill(0, Math.round(bar.x * perPoint), Math.round((bar.x + bar.width) * perPoint));
  const image = new Uint8ClampedArray(width * ROWS);
  for (let at = 0; at < ROWS; at += 1) image.set(row, at * width);
  const source = new RGBLuminanceSource(image, width, ROWS);
  const bitmap = new BinaryBitmap(new GlobalHistogramBinarizer(source));
  return READERS[symbology].decode(bitmap, new Map([[DecodeHintType.ALLOWED_LENGTHS, LENGTHS]])).getText();
}

/** The text of the QR code that a scanner finds in a picture; undefined where it finds none. @param pixels red, green, blue and opacity of each dot */
export const scannedQr = (pixels: Uint8ClampedArray, width: number, height: number): string | undefined =>
  jsQR.default(pixels, width, height)?.data;

/** The text of the QR code that stands on a page, read from its pixels. */
export async function qrOnScreen(page: Page): Promise<string | undefined> {
  const { width, height, data } = PNG.sync.read(await page.screenshot({ fullPage: true }));
  return scannedQr(new Uint8ClampedArray(data), width, height);
}
