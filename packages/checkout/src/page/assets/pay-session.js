// The payment of hosted fields from the merchant's page: asks for it, follows it to a bank and back, and waits for its end.
(() => {
  /** @typedef {Record<string, any>} Answer */
  /** `isAnswered`: the checkout has named the payment. @typedef {{ isAnswered: boolean, over: AbortController, ended: Promise<Answer | undefined> }} Run */
  /** @typedef {{ sessionToken?: string, operation?: 'purchase' | 'debit', send?: (body: object) => Promise<Answer>, frame?: string, title?: string }} Options */

  const own = document.currentScript;
  if (!(own instanceof HTMLScriptElement)) throw new Error('Load pay-session.js by a script element with src.');
  const { origin } = new URL(own.src);

  /** So often and so long a payment without an end is asked about. */
  const POLL_MS = 5000;
  const POLLS = 60;
  const SEND_MS = 60_000;
  /** A payer is not kept longer than this before they are told of an error. */
  const LONGEST_WAIT_MS = 30_000;

  class PaySession {
    /** @type {((answer: Answer) => void) | undefined} */
    onSuccess;
    /** Has a `message` for the payer. @type {((event: { message: string, answer: Answer }) => void) | undefined} */
    onDecline;
    /** Nothing is known yet: wait for the callback. @type {((answer: Answer) => void) | undefined} */
    onUndefined;
    /** @type {((error: Error & { status?: number, errors?: readonly object[] }) => void) | undefined} */
    handleError;

    /** @type {Options} */
    #options;
    /** Takes the frame of a bank away. */
    #closeFrame = () => {};
    /** The call of `pay` that is under way. @type {Run | undefined} */
    #run;

    /** @param {Options} options `send`: asks the merchant's server for the payment; default: the page itself asks the checkout */
    constructor(options) {
      this.#options = options;
    }

    /** The payer's browser, for 3-D Secure. `accept_headers` is known to a server alone: it stands in the header `Accept` of the page's request. */
    static browserInfo() {
      return {
        user_agent: navigator.userAgent,
        language: navigator.language,
        java_enabled: false,
        javascript_enabled: true,
        color_depth: screen.colorDepth,
        screen_height: screen.height,
        screen_width: screen.width,
        timezone_offset: new Date().getTimezoneOffset(),
        platform: navigator.platform,
      };
    }

    /**
     * Pays with the card that was entered into the fields. A second call before the first answer is the same call; a later one ends the earlier.
     *
     * @param {{ name: string }} payer `name`: the name on the card; further fields as the request has them
     * @returns {Promise<Answer | undefined>} how it ended; nothing where an error was told to `handleError`, or the call was ended
     */
    pay(payer) {
      if (this.#run?.isAnswered === false) return this.#run.ended;
      this.close();
      const body = {
        with_hosted_fields: true,
        selected_language: document.documentElement.lang || undefined,
        browser_info: PaySession.browserInfo(),
        ...payer,
      };
      const over = new AbortController();
      /** @type {Promise<undefined>} */
      const aborted = new Promise((resolve) => over.signal.addEventListener('abort', () => resolve(undefined)));
      /** @type {Run} */
      const run = { isAnswered: false, over, ended: aborted };
      this.#run = run;
      run.ended = Promise.race([this.#follow(body, run), aborted])
        .finally(() => {
          if (this.#run === run) this.close();
        })
        .then((answer) => answer && this.#tell(answer))
        .catch((error) => {
          this.handleError?.(error instanceof Error ? error : new Error(String(error)));
          return undefined;
        });
      return run.ended;
    }

    /** Ends the call of `pay` that is under way, without a word to the handlers, and takes the frame of the bank away. The payer may then enter another card. */
    close() {
      this.#run?.over.abort();
      this.#run = undefined;
      this.#closeFrame();
    }

    /** @param {object} body @param {Run} run @returns {Promise<Answer>} */
    async #follow(body, run) {
      let last = await this.#sent(body, run);
      run.isAnswered = true;
      // The checkout begins no payment for a request that names one.
      const asks = { ...body, public_id: last['public_id'] };
      const visited = new Set();
      for (let poll = 0; poll < POLLS && !ENDS.has(last['result']); poll += 1) {
        const bank = JSON.stringify([last['redirect_url'], last['redirect_params']]);
        if (last['result'] === 'redirect' && !visited.has(bank)) {
          visited.add(bank);
          run.over.signal.throwIfAborted();
          await this.#visit(last);
        } else await pause(POLL_MS);
        try {
          last = await this.#sent(asks, run);
        } catch {
          // The payment is under way, whatever keeps its state from being known.
          return last;
        }
      }
      return last;
    }

    /** Asks again where nothing is known of the payment: a card that was entered pays once. @param {object} body @param {Run} run @returns {Promise<Answer>} */
    async #sent(body, { over }) {
      const send = this.#options.send ?? ((/** @type {object} */ each) => this.#ask(each));
      for (let attempt = 1; ; attempt += 1) {
        over.signal.throwIfAborted();
        try {
          return await send(body);
        } catch (error) {
          const wait = waitAfter(error);
          if (attempt === ATTEMPTS || wait > LONGEST_WAIT_MS) throw error;
          await pause(wait);
        }
      }
    }

    /** @param {object} body @returns {Promise<Answer>} */
    async #ask(body) {
      const { sessionToken = '', operation = 'purchase' } = this.#options;
      const reply = await fetch(`${origin}/api/v1/processing/${operation}/card`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', token: sessionToken },
        body: JSON.stringify(body),
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        signal: AbortSignal.timeout(SEND_MS),
      });
      const answer = await reply.json();
      if (reply.ok) return answer;
      const { error_message, errors = [] } = answer;
      throw Object.assign(new Error(errors[0]?.error_message ?? error_message), {
        status: reply.status,
        errors,
        retryAfter: reply.headers.get('retry-after') ?? undefined,
      });
    }

    /** Sends the payer to the bank: in the frame, until they are back at a page of this origin, or away from this page. @param {Answer} answer */
    #visit({ redirect_url, redirect_method, redirect_params = {} }) {
      const place = this.#options.frame === undefined ? undefined : document.getElementById(this.#options.frame);
      if (place === null) throw new Error(`The page has no element with the id "${this.#options.frame}" for the bank.`);
      return new Promise((resolve) => {
        const frame = place && this.#open(place, () => resolve(undefined));
        if (redirect_method === 'POST' || Object.keys(redirect_params).length > 0)
          submit(redirect_url, redirect_params, frame?.name ?? '_self');
        // A form would write the query anew, and a bank may have signed it as it is.
        else if (frame) frame.src = redirect_url;
        else location.assign(redirect_url);
      });
    }

    /** @param {HTMLElement} place @param {() => void} done */
    #open(place, done) {
      const frame = document.createElement('iframe');
      frame.name = `bank-${Math.random().toString(36).slice(2)}`;
      frame.title = this.#options.title ?? 'Bank';
      frame.referrerPolicy = 'no-referrer';
      for (const [property, value] of [
        ['display', 'block'],
        ['width', '100%'],
        ['height', '600px'],
        ['border', '0'],
      ])
        frame.style.setProperty(property ?? '', value ?? '');
      this.#closeFrame = () => {
        this.#closeFrame = () => {};
        frame.remove();
        done();
      };
      frame.addEventListener('load', () => {
        if (isBack(frame)) this.#closeFrame();
      });
      place.replaceChildren(frame);
      frame.focus();
      return frame;
    }

    /** @param {Answer} answer */
    #tell(answer) {
      if (answer['result'] === 'success') this.onSuccess?.(answer);
      else if (answer['result'] === 'decline') this.onDecline?.({ message: answer['decline_message'] ?? '', answer });
      else this.onUndefined?.(answer);
      return answer;
    }
  }

  const ENDS = new Set(['success', 'decline']);
  const ATTEMPTS = 4;
  /** Another request is just starting the payment (docs/hosted-fields.md). */
  const BUSY = 'Previous payment not completed.';

  /** Whether a page of this origin stands in the frame; a bank's cannot be read. @param {HTMLIFrameElement} frame */
  function isBack(frame) {
    try {
      const { href, origin: of } = frame.contentWindow?.location ?? {};
      return of === location.origin && href !== 'about:blank';
    } catch {
      return false;
    }
  }

  /** @param {number} ms */
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  /** How long the same request waits before it is sent again; for ever where that helps nothing. @param {unknown} error @returns {number} */
  function waitAfter(error) {
    const { status = 0, message, retryAfter } = /** @type {Record<string, any>} */ (Object(error));
    const isFinal = status >= 400 && status < 500 && status !== 429 && message !== BUSY;
    return isFinal ? Infinity : Math.max(POLL_MS, Number(retryAfter ?? 0) * 1000 || 0);
  }

  /** Sends parameters by POST. They may have any name, also that of a form's own method. @param {string} url @param {Record<string, string>} params @param {string} target */
  function submit(url, params, target) {
    const form = document.createElement('form');
    Object.assign(form, { method: 'POST', action: url, target, acceptCharset: 'utf-8', hidden: true });
    form.append(
      ...Object.entries(params).map(([name, value]) =>
        Object.assign(document.createElement('input'), { type: 'hidden', name, value }),
      ),
    );
    document.body.append(form);
    const { submit: send, remove } = HTMLFormElement.prototype;
    send.call(form);
    remove.call(form);
  }

  Object.assign(window, { PaySession });
})();
