const payment = {
  payment_id: 'wp_71c2',
  our_id: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  status: 'waiting',
  amount: '15.00',
  currency: 'USD',
};
export const samplePage = { ...payment, page_url: 'https://wallet.example/pay/wp_71c2' };
export const sampleWidget = { ...payment, widget_url: 'https://wallet.example/widget/wp_71c2' };
export const sampleApp = { ...payment, app_url: 'upi://pay?pa=shop@exampleupi&am=15.00&cu=INR&tr=wp71c2' };
export const sampleCode = { ...payment, code_text: 'WALLET:PAY:wp_71c2' };
export const sampleData = {
  ...payment,
  pay_with: [
    { name: 'Number of the payment', value: '7120 4415' },
    { name: 'Receiver', value: 'Corner shop' },
  ],
};
export const samplePrompt = { ...payment, prompt: 'Approve the payment in the app of your wallet.' };
export const sampleLink = { ...payment, link_sent_by: 'email' };
export const sampleFound = { ...payment, status: 'paid' };
export const sampleRefusal = { code: 'payer_not_known', message: 'The wallet does not know this payer.' };
export const sampleChallenge = { challenge_id: 'ch_0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11' };
export const sampleSpent = { code: 'challenge_not_valid', message: 'The challenge is too old, or of another payment.' };
export const sampleAbsent = { code: 'not_found', message: 'There is no such payment.' };
export const sampleNotification = { notification_id: 'wn_1', ...payment, status: 'paid' };
