// The certificate library injects its dependencies by decorators, which read this polyfill: it is there for its effect.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { stringify } from 'yaml';

/** PEM texts: what a client trusts, and what a server shows. */
export type ServingCertificates = Readonly<{ ca: string; certificate: string; key: string }>;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

// TLS is checked against the machine's clock while the simulated one may run years ahead, so no date may matter.
const notBefore = new Date('2020-01-01T00:00:00Z');
const notAfter = new Date('2099-01-01T00:00:00Z');

/** A new authority, and a certificate of it for 127.0.0.1, localhost and further addresses. About 8 ms of CPU. */
export async function issueCertificates(
  owner: string,
  addresses: readonly string[] = [],
): Promise<ServingCertificates> {
  const [caKeys, serverKeys] = await Promise.all([newKeys(), newKeys()]);
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [`${owner} CA`] }],
    notBefore,
    notAfter,
    keys: caKeys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    subject: [{ CN: [owner] }],
    issuer: ca.subject,
    notBefore,
    notAfter,
    signingKey: caKeys.privateKey,
    publicKey: serverKeys.publicKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.SubjectAlternativeNameExtension([
        { type: 'ip', value: '127.0.0.1' },
        { type: 'dns', value: 'localhost' },
        ...addresses.map((value) => ({ type: 'ip' as const, value })),
      ]),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    ],
  });
  return {
    ca: ca.toString('pem'),
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', serverKeys.privateKey), 'PRIVATE KEY'),
  };
}

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

export type Kubeconfig = Readonly<{
  /** Of context, cluster and user alike, as Gardener names them. */
  name: string;
  server: string;
  /** PEM. */
  ca: string;
  token: string;
}>;

/** The YAML of a kubeconfig with everything inline. An empty token stays empty, as Gardener's Secret begins. */
export function kubeconfigText({ name, server, ca, token }: Kubeconfig): string {
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [{ name, cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      users: [{ name, user: { token } }],
    },
    { lineWidth: 0 },
  );
}
