// Shows the button of a digital wallet where the device has that wallet, and sends the wallet's token with the form.

/** @typedef {{ readonly method: string, readonly validation: string, readonly request: any }} Offer */

/** Holds the globals of the vendors' scripts. @type {any} */
const vendors = globalThis;

/**
 * The wallets by their words: each says whether the device has it, and asks it for a token.
 *
 * @type {Record<string, { ready(request: any): Promise<boolean>, ask(offer: Offer): Promise<string | undefined> }>}
 */
const WALLETS = {
  applepay: {
    ready: async () => vendors.ApplePaySession?.canMakePayments() === true,
    ask: (offer) => new Promise((done) => openAppleSheet(offer, done)),
  },
  googlepay: {
    async ready(request) {
      if (vendors.google?.payments === undefined) return false;
      const { apiVersion, apiVersionMinor, allowedPaymentMethods } = request;
      const { result } = await googleClient(request).isReadyToPay({
        apiVersion,
        apiVersionMinor,
        allowedPaymentMethods,
      });
      return result === true;
    },
    async ask({ request }) {
      const { environment: _environment, ...asked } = request;
      return JSON.stringify(await googleClient(request).loadPaymentData(asked));
    },
  },
};

/** @param {{ readonly environment: string }} request */
const googleClient = ({ environment }) => new vendors.google.payments.api.PaymentsClient({ environment });

/** @param {Offer} offer @param {(token: string | undefined) => void} done */
function openAppleSheet({ method, validation, request }, done) {
  const session = new vendors.ApplePaySession(3, request);
  Object.assign(session, {
    /** @param {{ readonly validationURL: string }} event */
    async onvalidatemerchant({ validationURL }) {
      const body = new URLSearchParams({ method, url: validationURL });
      const reply = await fetch(validation, { method: 'POST', body }).catch(() => undefined);
      if (reply?.ok === true) return session.completeMerchantValidation(await reply.json());
      session.abort();
      done(undefined);
    },
    /** @param {{ readonly payment: { readonly token: unknown } }} event */
    onpaymentauthorized({ payment }) {
      session.completePayment(vendors.ApplePaySession.STATUS_SUCCESS);
      done(JSON.stringify({ token: payment.token }));
    },
    oncancel: () => done(undefined),
  });
  session.begin();
}

/** @param {HTMLButtonElement} button */
async function offer(button) {
  const { wallet = '', method = '', validation = '', request: text = '' } = button.dataset;
  const request = JSON.parse(text);
  const vendor = WALLETS[wallet];
  const form = button.form;
  const input = form?.elements.namedItem('wallet_token');
  if (vendor === undefined || form === null || !(input instanceof HTMLInputElement)) return;
  if (!(await vendor.ready(request).catch(() => false))) return;
  button.hidden = false;
  for (const note of document.querySelectorAll('[data-wallet-missing]')) note.remove();
  button.addEventListener('click', async () => {
    if (form.dataset['sent'] === 'true' || button.disabled) return;
    if (!form.checkValidity()) return form.requestSubmit();
    button.disabled = true;
    const token = await vendor.ask({ method, validation, request }).catch(() => undefined);
    button.disabled = false;
    if (token === undefined) return;
    input.value = token;
    form.requestSubmit();
  });
}

const button = document.querySelector('button[data-wallet]');
if (button instanceof HTMLButtonElement) void offer(button);
