// The certificate library injects its dependencies by decorators, which read this polyfill: it is there for its effect.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import type { ServingCertificates } from '@dwd/simulator/api/certificates.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const notBefore = new Date('2020-01-01T00:00:00Z');

export type Pair = Readonly<{ certificate: string; key: string }>;
export type Authority = Readonly<{ ca: string; issue(names: readonly string[], notAfter?: Date): Promise<Pair> }>;

/** An authority that issues odd certificates for the tests of trust: for other names, or long expired. */
export async function oddAuthority(name: string): Promise<Authority> {
  const keys = await newKeys();
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    notBefore,
    notAfter: new Date('2099-01-01T00:00:00Z'),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    ca: ca.toString('pem'),
    async issue(names, notAfter = new Date('2099-01-01T00:00:00Z')) {
      const own = await newKeys();
      const certificate = await x509.X509CertificateGenerator.create({
        subject: [{ CN: ['somebody'] }],
        issuer: ca.subject,
        notBefore,
        notAfter,
        signingKey: keys.privateKey,
        publicKey: own.publicKey,
        signingAlgorithm: algorithm,
        extensions: [
          await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
          new x509.SubjectAlternativeNameExtension(
            names.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? 'ip' : 'dns', value })),
          ),
        ],
      });
      const key = await crypto.subtle.exportKey('pkcs8', own.privateKey);
      return { certificate: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
    },
  };
}

export function servedBy({ ca }: Authority, pair: Pair): ServingCertificates {
  return { ca, ...pair };
}

function newKeys() {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}
