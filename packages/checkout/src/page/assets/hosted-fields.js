// Payment fields on a merchant's page: frames of the checkout, so that the page never holds a card.
(() => {
  /** @typedef {'form' | 'card' | 'expiry' | 'cvv'} Frame */
  /** @typedef {{ id: string, placeholder?: string, label?: string }} FieldOptions */
  /** @typedef {Record<string, any>} Message */
  /** @typedef {{ name: Frame, box: HTMLElement, element: HTMLIFrameElement, nonce: string, ready: (ignored: readonly string[]) => void, gone: () => void }} Place */

  const own = document.currentScript;
  if (!(own instanceof HTMLScriptElement)) throw new Error('Load hosted-fields.js by a script element with src.');
  const { origin } = new URL(own.src);

  /** So long a frame may take until it says that it is there. */
  const READY_MS = 30_000;
  /** So long the fields may take to check and send a card: longer than they allow themselves. */
  const COLLECT_MS = 30_000;
  /** @type {readonly Frame[]} */
  const FRAMES = ['form', 'card', 'expiry', 'cvv'];
  /** @type {readonly Frame[]} */
  const FIELDS = ['card', 'expiry', 'cvv'];

  const random = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');

  /** A pressed button keeps its place until it is released: a frame that grew meanwhile would move it away from the pointer. */
  let isPressed = false;
  /** @type {(() => void)[]} */
  const afterPress = [];
  addEventListener('pointerdown', () => (isPressed = true), { capture: true });
  for (const end of ['pointerup', 'pointercancel', 'dragend'])
    addEventListener(
      end,
      () =>
        setTimeout(() => {
          isPressed = false;
          for (const act of afterPress.splice(0)) act();
        }),
      { capture: true },
    );

  class HostedFields {
    /** Handlers of each field: `input`, `change`, `focus`, `blur`, `submit`, `ready`, `height`. */
    cardOn = {};
    expiryOn = {};
    cvvOn = {};
    /** Of the form in one frame. */
    formOn = {};
    /** @type {((result: object) => void) | undefined} */
    onSubmitResult;

    /** @type {Place[]} */
    #places = [];
    #group = random();
    /** @type {Promise<{ ignored: readonly string[] }>} */
    #ready = notInitialised();
    /** @type {{ promise: Promise<object>, settle: (result: object) => void } | undefined} */
    #collecting;

    /**
     * Puts the frames into the elements with these ids.
     *
     * @param {{ sessionToken: string, fields: Partial<Record<Frame, FieldOptions>>, style?: object, labels?: Partial<Record<Frame, string>>, placeholders?: Partial<Record<Frame, string>>, language?: string, direction?: 'ltr' | 'rtl' }} options
     * @returns {Promise<{ ignored: readonly string[] }>} fulfilled once every frame is there; `ignored`: parts of `style` that cannot be set
     */
    init(options) {
      this.destroy();
      this.#ready = this.#init(options);
      this.#ready.catch(() => undefined);
      return this.#ready;
    }

    /** @param {Parameters<HostedFields['init']>[0]} options @returns {Promise<{ ignored: readonly string[] }>} */
    async #init(options) {
      const { sessionToken, fields } = options;
      const names = FRAMES.filter((name) => fields[name] !== undefined);
      if (typeof sessionToken !== 'string' || sessionToken === '') throw new Error('init needs a sessionToken.');
      if (names.length === 0 || (fields.form !== undefined && names.length > 1))
        throw new Error('init needs fields: either form, or card, expiry and cvv.');
      // Before the first frame is put into the page: a page without one of the elements stays as it is.
      const boxes = names.map((name) => boxOf(name, fields[name]?.id ?? ''));
      addEventListener('message', this.#hear);
      const placed = boxes.map(([name, box]) => this.#place(name, box, names, options));
      return { ignored: [...new Set((await Promise.all(placed)).flat())] };
    }

    /** Checks and sends the card. The result goes to `onSubmitResult`, too. @returns {Promise<object>} */
    collectIframesData() {
      if (this.#collecting !== undefined) return this.#collecting.promise;
      let settle = (/** @type {object} */ _result) => {};
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      let timer;
      const promise = new Promise((resolve) => {
        settle = resolve;
      }).then((/** @type {object} */ result) => {
        clearTimeout(timer);
        this.#collecting = undefined;
        this.onSubmitResult?.(result);
        return result;
      });
      this.#collecting = { promise, settle };
      this.#ready.then(
        () => {
          timer = setTimeout(() => settle(notReady('The payment fields did not answer.')), COLLECT_MS);
          const [leader] = this.#places;
          if (leader) this.#say(leader, 'collect');
          return timer;
        },
        (error) => settle(notReady(String(error.message))),
      );
      return promise;
    }

    /** @param {Frame} [field] default: the first one */
    focus(field) {
      const place = this.#places.find(({ name }) => name === field) ?? this.#places[0];
      if (place === undefined) return;
      place.element.focus();
      this.#say(place, 'focus', { field });
    }

    /** Empties the fields. */
    clear() {
      for (const place of this.#places) this.#say(place, 'clear');
    }

    /** Takes the frames away. */
    destroy() {
      removeEventListener('message', this.#hear);
      for (const { element, gone } of this.#places) {
        element.remove();
        gone();
      }
      this.#places = [];
      this.#ready = notInitialised();
      this.#collecting?.settle(notReady(TAKEN_AWAY));
    }

    /** @param {Frame} name @param {HTMLElement} box @param {readonly Frame[]} names @param {Parameters<HostedFields['init']>[0]} options @returns {Promise<readonly string[]>} */
    #place(name, box, names, options) {
      const { sessionToken, fields, style, direction, labels = {}, placeholders = {} } = options;
      const { id = '', placeholder, label } = fields[name] ?? {};
      const nonce = random();
      const element = document.createElement('iframe');
      const language = options.language ?? document.documentElement.lang;
      const query = language === '' ? '' : `?${new URLSearchParams({ language })}`;
      const label_ = document.querySelector(`label[for="${CSS.escape(id)}"]`);
      label_?.addEventListener('click', () => this.focus(name));
      const title = label ?? labels[name] ?? label_?.textContent?.trim();
      element.title = title ?? name;
      element.referrerPolicy = 'no-referrer';
      for (const [property, value] of [
        ['display', 'block'],
        ['width', '100%'],
        ['height', '2.5em'],
        ['border', '0'],
      ])
        element.style.setProperty(property ?? '', value ?? '');
      const { direction: ofPage, colorScheme } = getComputedStyle(box);
      const words = Object.fromEntries(
        FIELDS.map((each) => [each, { label: labels[each], placeholder: placeholders[each] }]),
      );
      if (name !== 'form') words[name] = { label: title, placeholder: placeholder ?? placeholders[name] };
      const init = {
        group: this.#group,
        parts: name === 'form' ? FIELDS : names,
        fields: words,
        style,
        direction: direction ?? ofPage,
        scheme: colorScheme,
      };
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(NOT_THERE)), READY_MS);
        const place = {
          name,
          box,
          element,
          nonce,
          ready: (/** @type {readonly string[]} */ ignored) => {
            clearTimeout(timer);
            resolve(ignored);
          },
          gone: () => {
            clearTimeout(timer);
            reject(new Error(TAKEN_AWAY));
          },
        };
        this.#places.push(place);
        let isLoaded = false;
        element.addEventListener('load', () => {
          // A frame that is loaded again is empty, and answers nothing that it was asked before.
          if (isLoaded) this.#collecting?.settle(notReady('A payment field was loaded again.'));
          isLoaded = true;
          this.#say(place, 'init', init);
        });
        element.src = `${origin}/fields/frame/${name}/${encodeURIComponent(sessionToken)}${query}`;
        box.replaceChildren(element);
      });
    }

    /** To a page of the checkout, and to no other that may stand in the frame. @param {Place} place @param {string} type @param {object} [more] */
    #say({ element, nonce }, type, more) {
      element.contentWindow?.postMessage({ ...more, nonce, type }, origin);
    }

    #hear = (/** @type {MessageEvent} */ event) => {
      if (event.origin !== origin) return;
      const place = this.#places.find(({ element }) => element.contentWindow === event.source);
      if (place === undefined || event.data?.nonce !== place.nonce) return;
      const { nonce: _proved, type, ...data } = event.data;
      this.#take(place, type, data);
    };

    /** @param {Place} place @param {string} type @param {Message} data */
    #take(place, type, data) {
      if (type === 'result') return this.#end(data);
      if (type === 'height' || type === 'ready') resize(place.element, data['height']);
      if (type === 'ready') place.ready(data['ignored']);
      const handlers = /** @type {Record<Frame, Record<string, ((data: Message) => void) | undefined>>} */ ({
        form: this.formOn,
        card: this.cardOn,
        expiry: this.expiryOn,
        cvv: this.cvvOn,
      });
      // In one frame, the events of each field are there beside those of the form.
      const own = place.name === 'form' ? handlers[/** @type {Frame} */ (data['field'])]?.[type] : undefined;
      own?.(data);
      const handler = handlers[place.name][type];
      if (handler !== undefined) handler(data);
      else if (type === 'submit') place.box.closest('form')?.requestSubmit();
    }

    /** @param {Message} result */
    #end(result) {
      if (result['field'] !== undefined) this.focus(this.#places.length > 1 ? result['field'] : undefined);
      if (result['field'] !== undefined && this.#places[0]?.name === 'form')
        this.#say(this.#places[0], 'focus', { field: result['field'] });
      this.#collecting?.settle(result);
    }
  }

  const NOT_THERE =
    'A payment field did not load. Check that the token is new, that fieldOrigins of the merchant has the origin of this page, and that the Content-Security-Policy of this page allows the frame.';

  const TAKEN_AWAY = 'The payment fields were taken away.';

  /** @param {string} message */
  const notReady = (message) => ({ result: 'error', code: 'not-ready', message });

  /** @returns {Promise<never>} */
  function notInitialised() {
    const never = Promise.reject(new Error('Call init first.'));
    never.catch(() => undefined);
    return never;
  }

  /** @param {Frame} name @param {string} id @returns {readonly [Frame, HTMLElement]} */
  function boxOf(name, id) {
    const box = document.getElementById(id);
    if (box === null) throw new Error(`The page has no element with the id "${id}" for the field ${name}.`);
    return [name, box];
  }

  /** @param {HTMLIFrameElement} element @param {unknown} height */
  function resize(element, height) {
    if (typeof height !== 'number' || !(height > 0 && height < 2000)) return;
    const act = () => element.style.setProperty('height', `${height}px`);
    if (isPressed) afterPress.push(act);
    else act();
  }

  Object.assign(window, { HostedFields });
})();
