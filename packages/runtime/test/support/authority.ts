import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import {
  bits,
  integer,
  octets,
  oid,
  sequence,
  set,
  text,
  time,
  tlv,
  yes,
} from '../../../../test/support/der-writer.ts';

/** A certificate and its key, PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** An authority of a bank's own, made for a test. */
export interface Authority {
  /** PEM. */
  readonly ca: string;
  /** A certificate for 127.0.0.1, of a server or of a client. */
  issue(name: string): Identity;
}

const DAY = 86_400_000;
const ECDSA = sequence(oid('1.2.840.10045.4.3.2'));

const nameOf = (value: string) => sequence(set(sequence(oid('2.5.4.3'), text(value))));
const pem = (der: Buffer) => `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Subject alternative name 127.0.0.1: RFC 5280, 4.2.1.6. */
const localhost = sequence(oid('2.5.29.17'), octets(sequence(tlv(0x87, Buffer.from([127, 0, 0, 1])))));
const isAuthority = sequence(oid('2.5.29.19'), yes, octets(sequence(yes)));

function certificate(issuer: string, subject: string, serial: number, publicKey: KeyObject, signedBy: KeyObject) {
  const now = Date.now();
  const signed = sequence(
    tlv(0xa0, integer(2)),
    integer(serial),
    ECDSA,
    nameOf(issuer),
    sequence(time(now - DAY), time(now + DAY)),
    nameOf(subject),
    publicKey.export({ format: 'der', type: 'spki' }),
    tlv(0xa3, sequence(issuer === subject ? isAuthority : localhost)),
  );
  return pem(sequence(signed, ECDSA, bits(sign('sha256', signed, signedBy))));
}

/** @example const bank = authority('Bank'); createServer(bank.issue('api.bank'), listener) */
export function authority(name: string): Authority {
  const own = newPair();
  let serial = 1;
  return {
    ca: certificate(name, name, serial, own.publicKey, own.privateKey),
    issue(subject) {
      const { publicKey, privateKey } = newPair();
      serial += 1;
      return {
        cert: certificate(name, subject, serial, publicKey, own.privateKey),
        key: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
      };
    },
  };
}
