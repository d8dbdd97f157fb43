import {
  constants,
  createCipheriv,
  createHash,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  publicEncrypt,
  randomBytes,
  sign,
} from 'node:crypto';
import {
  bits,
  integer,
  nothing,
  octets,
  oid,
  sequence,
  set,
  text,
  time,
  tlv,
  yes,
} from '../../../../test/support/der-writer.ts';

/** Seals tokens as Apple does, written apart from what opens them, under certificates of its own. */
export interface AppleSealer {
  /** The root to trust, PEM. */
  readonly root: string;
  seal(content: object, to: AppleRecipient, how: AppleSealing): { readonly paymentData: SealedData };
}

export interface SealedData {
  readonly version: string;
  readonly data: string;
  readonly signature: string;
  readonly header: Readonly<Record<string, string>>;
}

export interface AppleRecipient {
  /** Of P-256 for EC_v1, of RSA for RSA_v1. */
  readonly publicKey: KeyObject;
  readonly merchantId: string;
}

export interface AppleSealing {
  /** When it is signed, milliseconds since 1970. */
  readonly at: number;
  /** Hexadecimal digits; random unless given. */
  readonly transactionId?: string;
  readonly applicationData?: Buffer;
}

const DAY = 86_400_000;
const ECDSA = sequence(oid('1.2.840.10045.4.3.2'));
const SHA256 = sequence(oid('2.16.840.1.101.3.4.2.1'));
const MARKS = { leaf: '1.2.840.113635.100.6.29', intermediate: '1.2.840.113635.100.6.2.14' };

const sha256 = (...parts: readonly Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const spki = (key: KeyObject) => key.export({ format: 'der', type: 'spki' });
const name = (value: string) => sequence(set(sequence(oid('2.5.4.3'), text(value))));
const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

interface CertificatePlan {
  readonly serial: number;
  readonly issuer: string;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly signedBy: KeyObject;
  readonly ca: boolean;
  readonly mark?: string;
  readonly valid: readonly [number, number];
}

function certificate({ serial, issuer, subject, publicKey, signedBy, ca, mark, valid: [from, to] }: CertificatePlan) {
  const extensions = [
    ...(ca ? [sequence(oid('2.5.29.19'), yes, octets(sequence(yes)))] : []),
    ...(mark === undefined ? [] : [sequence(oid(mark), octets(nothing))]),
  ];
  const signed = sequence(
    tlv(0xa0, integer(2)),
    integer(serial),
    ECDSA,
    name(issuer),
    sequence(time(from), time(to)),
    name(subject),
    spki(publicKey),
    ...(extensions.length > 0 ? [tlv(0xa3, sequence(...extensions))] : []),
  );
  return sequence(signed, ECDSA, bits(sign('sha256', signed, signedBy)));
}

/** A certificate of a merchant's identity, signed by itself, and its key. PEM. */
export function merchantIdentity(now: number) {
  const { publicKey, privateKey } = newPair();
  const valid = [now - DAY, now + 365 * DAY] as const;
  const der = certificate({
    serial: 9,
    issuer: 'Shop',
    subject: 'Shop',
    valid,
    ca: false,
    publicKey,
    signedBy: privateKey,
  });
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
    privateKey: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
  };
}

/** What of the certificates is spoilt, for what has to be refused. */
export interface Spoilt {
  readonly leafMark?: string;
  readonly intermediateMark?: string;
  readonly intermediateIsNoCa?: boolean;
  /** When the signer's certificate ends. */
  readonly leafUntil?: number;
  /** Another key signs than the certificate has. */
  readonly foreignSigner?: boolean;
}

/** @param now about when it seals, milliseconds since 1970 */
export function appleSealer(now: number, spoilt: Spoilt = {}): AppleSealer {
  const [root, middle, leaf] = [newPair(), newPair(), newPair()];
  const valid = [now - 365 * DAY, now + 365 * DAY] as const;
  const rootDer = certificate({
    serial: 1,
    issuer: 'Root',
    subject: 'Root',
    valid,
    ca: true,
    publicKey: root.publicKey,
    signedBy: root.privateKey,
  });
  const middleDer = certificate({
    serial: 2,
    issuer: 'Root',
    subject: 'Middle',
    valid,
    ca: spoilt.intermediateIsNoCa !== true,
    publicKey: middle.publicKey,
    signedBy: root.privateKey,
    mark: spoilt.intermediateMark ?? MARKS.intermediate,
  });
  const leafDer = certificate({
    serial: 3,
    issuer: 'Middle',
    subject: 'Leaf',
    ca: false,
    mark: spoilt.leafMark ?? MARKS.leaf,
    publicKey: leaf.publicKey,
    signedBy: middle.privateKey,
    valid: [valid[0], spoilt.leafUntil ?? valid[1]],
  });
  const signer = spoilt.foreignSigner === true ? newPair().privateKey : leaf.privateKey;
  const signed = (content: Uint8Array, at: number) => detached(content, at, signer, [leafDer, middleDer]);
  return {
    root: `-----BEGIN CERTIFICATE-----\n${rootDer.toString('base64')}\n-----END CERTIFICATE-----\n`,
    seal(content, to, { at, transactionId = randomBytes(32).toString('hex'), applicationData }) {
      const { version, key, sender, field } = to.publicKey.asymmetricKeyType === 'rsa' ? wrapped(to) : agreed(to);
      const data = encrypted(key, Buffer.from(JSON.stringify(content)));
      const covered = [sender, data, Buffer.from(transactionId, 'hex'), applicationData ?? Buffer.alloc(0)];
      const header = {
        publicKeyHash: sha256(spki(to.publicKey)).toString('base64'),
        transactionId,
        [field]: sender.toString('base64'),
        ...(applicationData && { applicationData: applicationData.toString('hex') }),
      };
      const signature = signed(Buffer.concat(covered), at).toString('base64');
      return { paymentData: { version, data: data.toString('base64'), signature, header } };
    },
  };
}

function agreed({ publicKey, merchantId }: AppleRecipient) {
  const ephemeral = newPair();
  const secret = diffieHellman({ privateKey: ephemeral.privateKey, publicKey });
  const party = [Buffer.from('\rid-aes256-GCMApple'), sha256(Buffer.from(merchantId))];
  const key = sha256(Buffer.from([0, 0, 0, 1]), secret, ...party);
  return { version: 'EC_v1', key, sender: spki(ephemeral.publicKey), field: 'ephemeralPublicKey' };
}

function wrapped({ publicKey }: AppleRecipient) {
  const key = randomBytes(16);
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return {
    version: 'RSA_v1',
    key,
    sender: publicEncrypt({ key: publicKey, padding, oaepHash: 'sha256' }, key),
    field: 'wrappedKey',
  };
}

function encrypted(key: Buffer, clear: Buffer): Buffer {
  const cipher = createCipheriv(key.length === 32 ? 'aes-256-gcm' : 'aes-128-gcm', key, Buffer.alloc(16));
  return Buffer.concat([cipher.update(clear), cipher.final(), cipher.getAuthTag()]);
}

function detached(content: Uint8Array, at: number, key: KeyObject, certificates: readonly Uint8Array[]): Buffer {
  const attributes = [
    sequence(oid('1.2.840.113549.1.9.3'), set(oid('1.2.840.113549.1.7.1'))),
    sequence(oid('1.2.840.113549.1.9.5'), set(time(at))),
    sequence(oid('1.2.840.113549.1.9.4'), set(octets(sha256(content)))),
  ];
  const signer = sequence(
    integer(1),
    sequence(name('Middle'), integer(3)),
    SHA256,
    tlv(0xa0, ...attributes),
    ECDSA,
    octets(sign('sha256', set(...attributes), key)),
  );
  const signedData = sequence(
    integer(1),
    set(SHA256),
    sequence(oid('1.2.840.113549.1.7.1')),
    tlv(0xa0, ...certificates),
    set(signer),
  );
  return sequence(oid('1.2.840.113549.1.7.2'), tlv(0xa0, signedData));
}
