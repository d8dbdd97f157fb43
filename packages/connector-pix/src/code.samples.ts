/** A dynamic BR Code as the providers' examples show it. */
export const sampleCode =
  '00020101021226480014br.gov.bcb.pix2526pix.example/qr/v2/9d36b84f5204000053039865802BR5912Loja Exemplo6009SAO PAULO62070503***6304D34F';
