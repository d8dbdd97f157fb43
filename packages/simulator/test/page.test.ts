import { describe, expect, it } from 'vitest';
import { books, rig } from './support/rig.ts';

type Rig = Awaited<ReturnType<typeof rig>>;

const post = ({ simulator }: Rig, path: string, fields: Record<string, string>) =>
  fetch(simulator.url + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

const shown = async ({ simulator }: Rig, path = '/') => (await fetch(simulator.url + path)).text();

describe('the payer’s bank', () => {
  it('lists open payments with a button to pay and one to decline, without a script', async () => {
    const made = await rig({ scenario: 'manual' });
    await made.purchase('ref-1');
    const html = await shown(made);
    expect(html).toContain('10.00 BRL');
    expect(html).toMatch(/class="primary">Pay<\/button>.*class="secondary">Decline<\/button>/s);
    expect(html).not.toContain('<script');
    const { headers } = await fetch(made.simulator.url);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect((await fetch(`${made.simulator.url}/style.css`)).headers.get('content-type')).toBe(
      'text/css; charset=utf-8',
    );
  });

  it('pays by its button, sends the browser back, and pays nothing twice', async () => {
    const made = await rig({ scenario: 'manual' });
    await made.purchase('ref-1');
    const id = made.simulator.payments()[0]?.id ?? '';
    const reply = await post(made, '/pay', { id });
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/?said=10.00%20BRL%20paid.']);
    expect(await shown(made, '/?said=10.00%20BRL%20paid.')).toContain('10.00 BRL paid.');
    expect((await post(made, '/pay', { id })).headers.get('location')).toContain('not%20pending');
    expect(books(made.simulator)).toEqual(['charge 10.00 BRL', 'settled 10.00 BRL']);
  });

  it('declines by its button', async () => {
    const made = await rig({ scenario: 'manual' });
    await made.purchase('ref-1');
    await post(made, '/decline', { id: made.simulator.payments()[0]?.id ?? '' });
    expect(made.simulator.payments()[0]?.state).toBe('declined');
  });

  it('pays a pasted code', async () => {
    const made = await rig({ scenario: 'manual' });
    const paid = await made.purchase('ref-1');
    const show = paid.kind === 'done' && paid.outcome.status === 'pending' ? paid.outcome.show : undefined;
    const reply = await post(made, '/pay-code', { code: show?.kind === 'qr' ? show.content : '' });
    expect(reply.headers.get('location')).toBe('/?said=10.00%20BRL%20paid.');
    const wrong = await post(made, '/pay-code', { code: '' });
    expect(wrong.headers.get('location')).toBe('/?said=No%20open%20payment%20has%20this%20code.');
  });

  it('shows hostile text as text', async () => {
    const made = await rig({ scenario: 'manual' });
    await made.purchase('<img src=x onerror=alert(1)>');
    const html = await shown(made, `/?said=${encodeURIComponent('<b>"x"</b>')}`);
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).toContain('&lt;b&gt;&quot;x&quot;&lt;/b&gt;');
  });
});
