import { timingSafeEqual, verify } from 'node:crypto';
import {
  type Attribute,
  type CertificateSet,
  ContentInfo,
  id_contentType,
  id_data,
  id_messageDigest,
  id_signedData,
  id_signingTime,
  SignedData,
  type SignerInfo,
} from '@peculiar/asn1-cms';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { Time } from '@peculiar/asn1-x509';
import { type MarkedCertificate, readCertificate, signerOf } from './apple-certificates.ts';
import { sha256 } from './bytes.ts';
import { asDer, derLength } from './der.ts';
import { orRefuse, refuse } from './refusals.ts';

const SHA256 = '2.16.840.1.101.3.4.2.1';
/** ECDSA with SHA-256 and RSA with SHA-256: which of them, the signer's key says. */
const SIGNED_WITH = new Map([
  ['ec', '1.2.840.10045.4.3.2'],
  ['rsa', '1.2.840.113549.1.1.11'],
]);

/** `id_data` as the attribute that names the type of the content has it. */
const ID_DATA = Buffer.from('06092a864886f70d010701', 'hex');

/**
 * Verifies a detached CMS signature (RFC 5652) by a certificate for payment tokens.
 *
 * @param roots certificates, PEM
 * @returns when it was signed, by the signer's clock
 */
export function verifyAppleSignature(signature: Uint8Array, content: Uint8Array, roots: readonly string[]): Date {
  const { signer, certificates } = orRefuse('signature-malformed', () => readSignedData(signature));
  const signed = orRefuse('signature-malformed', () => readAttributes(signer));
  if (!timingSafeEqual(signed.digest, sha256(content))) refuse('content-changed');
  const { x509, parsed } = signerOf(certificates, roots, signed.at);
  const { issuerAndSerialNumber: named } = signer.sid;
  const { issuer, serialNumber } = parsed.tbsCertificate;
  const isNamed =
    named !== undefined &&
    isSame(named.serialNumber, serialNumber) &&
    isSame(AsnConvert.serialize(named.issuer), AsnConvert.serialize(issuer));
  const isKnown = SIGNED_WITH.get(x509.publicKey.asymmetricKeyType ?? '') === signer.signatureAlgorithm.algorithm;
  if (!isNamed || !isKnown) refuse('signer-certificate');
  if (!verify('sha256', signed.bytes, x509.publicKey, Buffer.from(signer.signature.buffer))) refuse('signature-wrong');
  return signed.at;
}

const isSame = (one: ArrayBuffer, other: ArrayBuffer | Uint8Array): boolean =>
  Buffer.from(one).equals(other instanceof Uint8Array ? other : Buffer.from(other));

function readSignedData(signature: Uint8Array): {
  readonly signer: SignerInfo;
  readonly certificates: readonly MarkedCertificate[];
} {
  const der = asDer(signature);
  const { contentType, content } = AsnConvert.parse(der, ContentInfo);
  const signedData = AsnConvert.parse(content, SignedData);
  // A reader forgives what a signature does not cover, for example a tag of another kind; written again, it shows.
  if (!isSame(AsnConvert.serialize(new ContentInfo({ contentType, content: AsnConvert.serialize(signedData) })), der))
    return refuse('signature-malformed');
  const { version, digestAlgorithms, encapContentInfo, certificates, crls, signerInfos } = signedData;
  const [signer, ...more] = signerInfos;
  const isDetached = encapContentInfo.eContentType === id_data && encapContentInfo.eContent === undefined;
  const digests = [...digestAlgorithms, signer?.digestAlgorithm].map((each) => each?.algorithm);
  // These algorithms have none (RFC 5754): what stood here would be covered by no signature.
  const hasParameters = [...digestAlgorithms, signer?.digestAlgorithm, signer?.signatureAlgorithm].some(
    (each) => each?.parameters instanceof ArrayBuffer,
  );
  if (hasParameters) return refuse('signature-malformed');
  if (signer === undefined || more.length > 0 || certificates === undefined || crls !== undefined)
    return refuse('signature-malformed');
  if (contentType !== id_signedData || version !== 1 || signer.version !== 1 || !isDetached)
    refuse('signature-malformed');
  if (signer.unsignedAttrs !== undefined || digests.some((each) => each !== SHA256)) refuse('signature-malformed');
  return { signer, certificates: certificatesOf(certificates) };
}

const certificatesOf = (set: CertificateSet): MarkedCertificate[] =>
  set.map(({ certificate }) => readCertificate(AsnConvert.serialize(certificate ?? refuse('signature-malformed'))));

interface SignedAttributes {
  /** The bytes that the signature covers: the attributes as a SET OF (RFC 5652, 5.4). */
  readonly bytes: Uint8Array;
  readonly digest: Uint8Array;
  readonly at: Date;
}

function readAttributes({ signedAttrs = [] }: SignerInfo): SignedAttributes {
  const valueOf = (type: string): ArrayBuffer => {
    const [found, ...more] = signedAttrs.filter(({ attrType }) => attrType === type);
    const [value, ...others] = found?.attrValues ?? [];
    return value === undefined || more.length > 0 || others.length > 0 ? refuse('signature-malformed') : value;
  };
  const { utcTime, generalTime } = AsnConvert.parse(valueOf(id_signingTime), Time);
  const at = utcTime ?? generalTime ?? refuse('signature-malformed');
  const digest = Buffer.from(AsnConvert.parse(valueOf(id_messageDigest), OctetString).buffer);
  if (!isSame(valueOf(id_contentType), ID_DATA) || digest.length !== 32) refuse('signature-malformed');
  return { bytes: setOf(signedAttrs), digest, at };
}

function setOf(attributes: readonly Attribute[]): Uint8Array {
  const content = Buffer.concat(attributes.map((each) => Buffer.from(AsnConvert.serialize(each))));
  return Buffer.concat([Buffer.from([0x31, ...derLength(content.length)]), content]);
}
