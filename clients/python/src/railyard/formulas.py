"""The fields that each signature covers, in order; the merchant's password follows.

Made of packages/core/src/signature/formulas.ts, by which the TypeScript client signs:
npm test -- packages/client/test/formula-tables.test.ts -u
"""

FORMULAS = {
    "session": ["number", "amount", "currency", "description"],
    "session_without_amount": ["number", "currency", "description"],
    "status_by_payment": ["payment_id"],
    "status_by_order": ["order_id"],
    "refund": ["payment_id", "amount"],
    "capture": ["payment_id", "amount"],
    "void": ["payment_id"],
    "retry": ["payment_id"],
    "recurring": ["recurring_init_trans_id", "recurring_token", "number", "amount", "description"],
    "card_credit": ["order_id", "order_amount", "order_currency", "order_description"],
    "test_clock": ["advance"],
    "callback": ["payment_id", "number", "amount", "currency", "description"],
    "callback_without_amount": ["payment_id", "number", "currency", "description"],
    "return": ["payment_id", "number", "amount", "currency", "description"],
    "return_without_amount": ["payment_id", "number", "currency", "description"],
}
