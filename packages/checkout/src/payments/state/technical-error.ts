/** Why a payment ended before anything was sent that could move money: the fault is ours or the connector's, and no provider's refusal. */
export const TECHNICAL_ERROR = 'A technical error stopped the payment.';
