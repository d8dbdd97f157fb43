import { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate } from '@peculiar/asn1-x509';
import { refuse } from './refusals.ts';

/** Apple's marks on certificates (Payment Token Format Reference). */
const LEAF_MARK = '1.2.840.113635.100.6.29';
const INTERMEDIATE_MARK = '1.2.840.113635.100.6.2.14';
const MERCHANT_MARK = '1.2.840.113635.100.6.32';

/** A certificate of a signature, by its bytes, with the extensions that the platform does not show. */
export interface MarkedCertificate {
  readonly x509: X509Certificate;
  readonly parsed: Certificate;
}

export function readCertificate(der: ArrayBuffer): MarkedCertificate {
  return { x509: new X509Certificate(Buffer.from(der)), parsed: AsnConvert.parse(der, Certificate) };
}

/** The hash of the merchant identifier that a processing certificate carries: 32 bytes. */
export function merchantIdHashOf(certificatePem: string): Buffer {
  const { raw } = new X509Certificate(certificatePem);
  const value = markOf(AsnConvert.parse(raw, Certificate), MERCHANT_MARK);
  if (value === undefined) throw new Error('The certificate is not one for payment processing.');
  // A text within the octets: its two first bytes are tag and length.
  return Buffer.from(Buffer.from(value).subarray(2).toString('ascii'), 'hex');
}

const markOf = ({ tbsCertificate }: Certificate, mark: string): ArrayBuffer | undefined =>
  tbsCertificate.extensions?.find(({ extnID }) => extnID === mark)?.extnValue.buffer;

/**
 * The certificate that signed, once it is proven to descend from one of the roots.
 *
 * @param at the moment that all of the chain has to be valid at
 */
export function signerOf(
  certificates: readonly MarkedCertificate[],
  roots: readonly string[],
  at: Date,
): MarkedCertificate {
  const leaf = onlyMarked(certificates, LEAF_MARK) ?? refuse('signer-certificate');
  const intermediate = onlyMarked(certificates, INTERMEDIATE_MARK) ?? refuse('intermediate-certificate');
  const root = roots.map((pem) => new X509Certificate(pem)).find((each) => isIssued(intermediate.x509, each));
  if (root === undefined || !isIssued(leaf.x509, intermediate.x509)) refuse('certificate-chain');
  if (![leaf.x509, intermediate.x509, root].every((each) => isValid(each, at))) refuse('certificate-expired');
  return leaf;
}

function onlyMarked(certificates: readonly MarkedCertificate[], mark: string): MarkedCertificate | undefined {
  const [found, ...more] = certificates.filter(({ parsed }) => markOf(parsed, mark) !== undefined);
  return more.length === 0 ? found : undefined;
}

const isIssued = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

const isValid = ({ validFrom, validTo }: X509Certificate, at: Date): boolean =>
  Date.parse(validFrom) <= at.getTime() && at.getTime() <= Date.parse(validTo);
