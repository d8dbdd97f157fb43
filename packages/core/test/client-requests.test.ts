import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseSession } from '../src/session/parse-session.ts';
import { verifySessionSignature } from '../src/session/session-signature.ts';

/** A request recorded from an unmodified public client of the protocol. */
interface Recorded {
  readonly client: string;
  readonly id: string;
  readonly path: string;
  readonly secret: string;
  readonly body: string;
  readonly follows_formula: boolean;
}

const all: Recorded[] = JSON.parse(readFileSync(new URL('./fixtures/client-requests.json', import.meta.url), 'utf8'));
const sessions = all.filter(({ path }) => path === '/api/v1/session' || path === '/api/v1/session/token');

function parse({ path, body }: Recorded) {
  return parseSession(JSON.parse(body), {
    today: '2026-11-21',
    endpoint: path.endsWith('/token') ? 'token' : 'session',
  });
}

describe('sessions of real clients', () => {
  it('are all here', () => {
    expect(sessions).toHaveLength(24);
  });

  it.each(sessions)('reads $client $id and judges its hash', (request) => {
    const parsed = parse(request);
    expect(parsed).toMatchObject({ ok: true });
    if (!parsed.ok) return;
    const sent = JSON.parse(request.body);
    expect(parsed.session.order).toEqual(sent.order);
    const checked = verifySessionSignature(parsed.session, { password: request.secret, digest: 'both' });
    expect(checked.ok).toBe(request.follows_formula);
    expect(verifySessionSignature(parsed.session, { password: `${request.secret}x`, digest: 'both' }).ok).toBe(false);
  });

  it('understands what they write in place of numbers, flags and dates', () => {
    const find = (id: string) => sessions.find((request) => request.id === id);
    const noBirthdate = find('session-create-no-birthdate');
    const authY = find('create_session-auth-Y');
    expect(noBirthdate && parse(noBirthdate)).toMatchObject({ ok: true, session: { session_expiry: 15 } });
    expect(noBirthdate && parse(noBirthdate)).not.toHaveProperty('session.customer.birth_date');
    expect(authY && parse(authY)).toMatchObject({
      ok: true,
      session: { auth: true, req_token: true, session_expiry: 60 },
    });
  });
});
