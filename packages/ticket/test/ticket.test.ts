import { expect, test } from 'vitest';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { scanned } from '../../../test/support/scan.ts';
import { ticketPdf } from '../src/index.ts';

test('a ticket has its lines in order, and a bar code that a scanner reads', async () => {
  const text = '338104672259000010';
  const bytes = await ticketPdf(
    {
      language: 'en',
      title: 'Your payment slip',
      about: ['Book shop', 'Order A-1042'],
      amount: 'MXN 250.00',
      details: [{ label: 'Reference', value: '9300' }],
      notes: ['Show this slip at the counter.'],
      barcode: { symbology: 'itf', text },
      barcodeName: `Bar code: ${text}`,
      lacks: 'Some words cannot be printed here.',
    },
    new Date('2026-03-07T02:00:00Z'),
  );
  const { lines, bars } = readPdf(Buffer.from(bytes));
  expect(lines).toEqual([
    'Your payment slip',
    'Book shop',
    'Order A-1042',
    'MXN 250.00',
    'Reference',
    '9300',
    text,
    'Show this slip at the counter.',
  ]);
  expect(scanned(bars, 'itf')).toBe(text);
});
