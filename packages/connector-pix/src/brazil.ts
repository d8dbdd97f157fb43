/** Pix is money in reais. The protocol gives it a currency and no country (2-methods.md, Pix-style payin), and a payer who lives abroad may have an account in Brazil. */
export const brazil = {
  countries: ['BR'],
  elsewhere: 'The currency decides: a payer who lives abroad may have an account in Brazil.',
};
