/** A frame with the whole form, or with one field of it. */
export type FrameName = 'form' | FieldName;
export type FieldName = 'card' | 'expiry' | 'cvv';

/** The place of a frame in the page. */
export interface FieldOptions {
  /** Of the element that the frame is put into. */
  readonly id: string;
  readonly placeholder?: string;
  /** Names the field to a screen reader. Default: the text of the `label` that is for the element. */
  readonly label?: string;
}

/** Properties by CSS name, in one of the styles below. */
export type StyleProperties = Readonly<Record<string, string>>;

export interface FieldStyle {
  readonly input?: StyleProperties;
  readonly 'input:focus'?: StyleProperties;
  readonly 'input:invalid'?: StyleProperties;
  readonly '::placeholder'?: StyleProperties;
  readonly label?: StyleProperties;
  readonly error?: StyleProperties;
}

export interface InitOptions {
  /** Of `POST /api/v1/session/token`. */
  readonly sessionToken: string;
  /** The form in one frame, which browsers fill with a saved card; or each field in a frame of its own. */
  readonly fields: { readonly form: FieldOptions } | Readonly<Partial<Record<FieldName, FieldOptions>>>;
  readonly style?: FieldStyle;
  /** Labels of the form's fields. */
  readonly labels?: Readonly<Partial<Record<FieldName, string>>>;
  /** Placeholders of the form's fields. */
  readonly placeholders?: Readonly<Partial<Record<FieldName, string>>>;
  /** Default: that of the page. The language of the session comes first. */
  readonly language?: string;
  /** Default: that of the element around the frame. */
  readonly direction?: 'ltr' | 'rtl';
}

/** How a field stands. */
export interface FieldState {
  readonly field: FieldName;
  readonly valid: boolean;
  readonly empty: boolean;
  /** A text for the payer; empty where the field is valid. */
  readonly error: string;
  /** Every field of this frame is valid. */
  readonly complete: boolean;
  /** The network of the card, as soon as its number shows it. */
  readonly brand?: string;
  /** Every network of the card that is accepted: of several the payer chooses one, which is `brand`. */
  readonly brands?: readonly string[];
}

export interface FieldHandlers {
  ready?: (event: { readonly ignored: readonly string[]; readonly height: number }) => void;
  /** After each edit. */
  input?: (state: FieldState) => void;
  /** When the state is another one than before. */
  change?: (state: FieldState) => void;
  focus?: (event: { readonly field: FieldName }) => void;
  blur?: (state: FieldState) => void;
  /** The payer pressed Enter. Without a handler the form around the element is submitted. */
  submit?: (event: object) => void;
  /** The frame has this height now. */
  height?: (event: { readonly height: number }) => void;
}

export type CollectResult =
  | {
      readonly result: 'success';
      readonly message: string;
      readonly card: { readonly brand: string; readonly last_four: string };
    }
  | {
      readonly result: 'error';
      /** `invalid`: an entry is wrong, see `field`. `expired`: a new token is needed. `busy`: a payment is under way. `limited`: too many declines. */
      readonly code: 'invalid' | 'expired' | 'busy' | 'limited' | 'unreachable' | 'failed' | 'incomplete' | 'not-ready';
      /** For the payer. */
      readonly message: string;
      readonly field?: FieldName;
      readonly errors?: Readonly<Partial<Record<FieldName, string>>>;
    };

export interface HostedFields {
  readonly cardOn: FieldHandlers;
  readonly expiryOn: FieldHandlers;
  readonly cvvOn: FieldHandlers;
  readonly formOn: FieldHandlers;
  onSubmitResult: ((result: CollectResult) => void) | undefined;
  /** Fulfilled once every frame is there. `ignored`: parts of `style` that cannot be set. */
  init(options: InitOptions): Promise<{ readonly ignored: readonly string[] }>;
  /** Checks the card and sends it to the checkout. */
  collectIframesData(): Promise<CollectResult>;
  focus(field?: FieldName): void;
  clear(): void;
  destroy(): void;
}

/** The answer of `processing/…/card`. */
export interface PaymentAnswer {
  readonly result: 'success' | 'decline' | 'redirect' | 'waiting' | 'undefined';
  readonly public_id: string;
  readonly return_url_query_params: Readonly<Record<string, string>>;
  readonly redirect_url?: string;
  readonly redirect_method?: 'GET' | 'POST';
  readonly redirect_params?: Readonly<Record<string, string>>;
  readonly decline_message?: string;
}

export interface PaySessionOptions {
  /** Where the page asks the checkout itself. */
  readonly sessionToken?: string;
  /** Default: `purchase`. */
  readonly operation?: 'purchase' | 'debit';
  /** Asks your server for the payment. It is called again with the same body, and then with `public_id`: a card that was entered pays once. */
  readonly send?: (body: object) => Promise<PaymentAnswer>;
  /** The element in which a bank's page is shown in a frame. Default: the payer leaves the page. */
  readonly frame?: string;
  /** Names that frame to a screen reader. */
  readonly title?: string;
}

export interface PaySession {
  onSuccess: ((answer: PaymentAnswer) => void) | undefined;
  onDecline: ((event: { readonly message: string; readonly answer: PaymentAnswer }) => void) | undefined;
  /** Nothing is known yet: wait for the callback. */
  onUndefined: ((answer: PaymentAnswer) => void) | undefined;
  handleError: ((error: Error & { readonly status?: number; readonly errors?: readonly object[] }) => void) | undefined;
  /**
   * A second call before the first answer is the same call; a later one ends the earlier.
   *
   * @param payer `name`: the name on the card; further fields as the request has them
   * @returns how it ended; nothing where an error was told to `handleError`, or the call was ended
   */
  pay(payer: { readonly name: string } & Readonly<Record<string, unknown>>): Promise<PaymentAnswer | undefined>;
  /** Ends `pay` without a word to the handlers, and takes the frame of a bank away. */
  close(): void;
}

/** The classes that the scripts define. */
interface Scripts {
  readonly HostedFields: new () => HostedFields;
  readonly PaySession: (new (options: PaySessionOptions) => PaySession) & {
    browserInfo(): Readonly<Record<string, unknown>>;
  };
}

declare global {
  interface Window {
    readonly HostedFields?: Scripts['HostedFields'];
    readonly PaySession?: Scripts['PaySession'];
  }
}

const globals = (): Partial<Scripts> => window;

export interface LoadOptions {
  /** Of the page's Content-Security-Policy. */
  readonly nonce?: string;
  /** The hash of the script, from `/sdk/integrity.json` of the checkout. Default: the browser compares none. */
  readonly integrity?: string;
}

const ADDRESSES: Readonly<Record<keyof Scripts, string>> = {
  HostedFields: '/sdk/hosted-fields.js',
  PaySession: '/sdk/pay-session.js',
};

/**
 * Loads the payment fields from the checkout, once for the page.
 *
 * @param baseUrl of the checkout
 * @example const HostedFields = await loadHostedFields('https://pay.example.com');
 */
export const loadHostedFields = (baseUrl: string, options?: LoadOptions): Promise<Scripts['HostedFields']> =>
  load('HostedFields', baseUrl, options);

/** Loads the script that follows a payment, once for the page. */
export const loadPaySession = (baseUrl: string, options?: LoadOptions): Promise<Scripts['PaySession']> =>
  load('PaySession', baseUrl, options);

/** The scripts that are being loaded, by address. One that stands in the page may have failed before, and would tell nothing any more. */
const loading = new Map<string, Promise<void>>();

async function load<Name extends keyof Scripts>(
  name: Name,
  baseUrl: string,
  options: LoadOptions = {},
): Promise<Scripts[Name]> {
  const { [name]: there } = globals();
  if (there !== undefined) return there;
  const { href } = new URL(ADDRESSES[name], baseUrl);
  const loaded = loading.get(href) ?? added(href, options);
  loading.set(href, loaded);
  // The next call tries again.
  await loaded.finally(() => loading.delete(href));
  const { [name]: found } = globals();
  if (found === undefined) throw new Error(`${href} is no script of a Railyard checkout.`);
  return found;
}

function added(href: string, { nonce, integrity }: LoadOptions): Promise<void> {
  const script = document.createElement('script');
  if (nonce !== undefined) script.nonce = nonce;
  if (integrity !== undefined) Object.assign(script, { integrity, crossOrigin: 'anonymous' });
  script.src = href;
  return new Promise((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      script.remove();
      reject(
        new Error(
          `${href} could not be loaded. Check the address, the Content-Security-Policy of the page, and integrity if it is given.`,
        ),
      );
    });
    document.head.append(script);
  });
}
