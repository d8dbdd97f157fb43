import { html, raw } from 'hono/html';
import type { Branding } from '../deployment/catalogue.ts';
import type { Markup } from './markup.ts';

/** A merchant's colours as a style element. Text on a colour is black or white, so that it has a contrast of 4.5 or more. */
export function branded({ button, background }: Branding = {}, nonce: string): Markup | '' {
  const rules = [button && buttonRules(button), background && backgroundRules(background)].filter(Boolean);
  return rules.length === 0
    ? ''
    : html`<style nonce="${nonce}">
        ${raw(rules.join(''))}
      </style>`;
}

function buttonRules(colour: string): string {
  const ink = inkOn(colour);
  // Away from its text, so that the contrast grows.
  const away = ink === '#000000' ? '#ffffff' : '#000000';
  return (
    `.primary:not(.busy){color:${ink};background:${colour}}` +
    `.primary:not(.busy):hover{background:color-mix(in srgb,${colour} 85%,${away})}`
  );
}

function backgroundRules(colour: string): string {
  const ink = inkOn(colour);
  return (
    `html{background:${colour}}` +
    `.order,.order .description,.order .number,.order .vat,.languages,.languages .link{color:${ink}}` +
    `.order :focus-visible,.languages :focus-visible{outline-color:${ink}}`
  );
}

/** Black or white, whichever differs more from a colour (WCAG 2, relative luminance): one of them always has 4.58 or more. */
export const inkOn = (colour: string): '#000000' | '#ffffff' =>
  luminanceOf(colour) > Math.sqrt(1.05 * 0.05) - 0.05 ? '#000000' : '#ffffff';

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The look of one session: each setting of the form that it names replaces the merchant's. A form that is gone changes nothing. */
export const brandingOf = (
  { branding, forms }: { readonly branding: Branding; readonly forms: Readonly<Record<string, Branding>> },
  formId: string | undefined,
): Branding => ({ ...branding, ...forms[formId?.toLowerCase() ?? ''] });
