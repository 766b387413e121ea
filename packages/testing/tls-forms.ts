// The certificate library injects its dependencies by decorators, which read this polyfill: it is there for its effect.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import type { webcrypto } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { kubeconfigFor, leaseList } from './shoot-stage.ts';

/** What an operator's bundle and a server may look like, and whether the server is spoken to (SPEC 1.5, 4.2). */
type TlsForm = Readonly<{
  name: string;
  /** `certificate-authority-data`. */
  ca: string;
  serves: SecureContextOptions;
  trusted: boolean;
  /** Where kubectl decides otherwise: the reason why we differ. */
  kubectlDiffers?: string;
}>;

type Algorithm = webcrypto.EcKeyGenParams | webcrypto.RsaHashedKeyGenParams;
type Issued = Readonly<{ pem: string; key: string; certificate: x509.X509Certificate; keys: webcrypto.CryptoKeyPair }>;

const ec = (namedCurve: string): Algorithm => ({ name: 'ECDSA', namedCurve });
const rsa = (modulusLength: number): Algorithm => ({
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
});
const [longAgo, lastYear, farAway] = ['2020-01-01', '2025-01-01', '2099-01-01'].map(
  (day) => new Date(`${day}T00:00:00Z`),
) as [Date, Date, Date];

type Wanted = Readonly<{
  subject: string;
  by?: Issued;
  isCa?: boolean;
  names?: readonly x509.JsonGeneralName[];
  until?: Date;
  keys?: Algorithm;
}>;

const here: readonly x509.JsonGeneralName[] = [{ type: 'ip', value: '127.0.0.1' }];

async function issue({
  subject,
  by,
  isCa = false,
  names = here,
  until = farAway,
  keys = ec('P-256'),
}: Wanted): Promise<Issued> {
  const own = await crypto.subtle.generateKey(keys, true, ['sign', 'verify']);
  const signer = by?.keys ?? own;
  const certificate = await x509.X509CertificateGenerator.create({
    subject: [{ CN: [subject] }],
    issuer: by?.certificate.subject ?? [{ CN: [subject] }],
    notBefore: longAgo,
    notAfter: until,
    publicKey: own.publicKey,
    signingKey: signer.privateKey,
    signingAlgorithm: { ...(signer.privateKey.algorithm as webcrypto.EcKeyAlgorithm), hash: 'SHA-256' },
    extensions: [
      new x509.BasicConstraintsExtension(isCa, undefined, true),
      await x509.SubjectKeyIdentifierExtension.create(own.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(signer.publicKey),
      ...(isCa || names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension([...names])]),
    ],
  });
  const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', own.privateKey), 'PRIVATE KEY');
  return { pem: `${certificate.toString('pem')}\n`, key, certificate, keys: own };
}

const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

const serve = (shown: Issued, more: SecureContextOptions = {}, ...chain: readonly Issued[]): SecureContextOptions => ({
  cert: [shown, ...chain].map(({ pem }) => pem).join(''),
  key: shown.key,
  ...more,
});

const form = (
  name: string,
  ca: string,
  serves: SecureContextOptions,
  trusted: boolean,
  kubectlDiffers?: string,
): TlsForm => ({
  name,
  ca,
  serves,
  trusted,
  ...(kubectlDiffers === undefined ? {} : { kubectlDiffers }),
});

/** Each is played against the probe, the seed's client and kubectl. */
export async function tlsForms(): Promise<readonly TlsForm[]> {
  const root = await issue({ subject: 'root', isCa: true });
  const other = await issue({ subject: 'other', isCa: true });
  const middle = await issue({ subject: 'middle', by: root, isCa: true });
  const leaf = await issue({ subject: 'leaf', by: middle });
  const direct = await issue({ subject: 'leaf', by: root });
  const chained = serve(leaf, {}, middle);
  const signed = async (wanted: Omit<Wanted, 'subject' | 'by'>) =>
    serve(await issue({ subject: 'leaf', by: root, ...wanted }));
  const selfSigned = await issue({ subject: 'leaf' });
  const oldRoot = await issue({ subject: 'old', isCa: true, until: lastYear });
  const expired = await issue({ subject: 'leaf', until: lastYear });
  const noCa = await issue({ subject: 'no authority', names: [] });

  return [
    form('a root', root.pem, chained, true),
    form('a root that stands before another', root.pem + other.pem, chained, true),
    form('a root that stands behind another', other.pem + root.pem, chained, true),
    form('another root', other.pem, chained, false),
    form('an intermediate alone', middle.pem, chained, true),
    form('an intermediate alone, which the server does not show', middle.pem, serve(leaf), true),
    form('a root, where the server does not show its intermediate', root.pem, serve(leaf), false),
    form('an intermediate that is no authority of this server', middle.pem, serve(direct), false),
    form('the server’s own certificate', leaf.pem, chained, true),
    form('the server’s own certificate, signed by itself', selfSigned.pem, serve(selfSigned), true),
    form('another certificate of the same authority', direct.pem, chained, false),
    form('the server’s own certificate, which has expired', expired.pem, serve(expired), false),
    form('a root that has expired', oldRoot.pem, serve(await issue({ subject: 'leaf', by: oldRoot })), false),
    form(
      'a certificate that is no authority and signed another',
      noCa.pem,
      serve(await issue({ subject: 'leaf', by: noCa })),
      false,
    ),
    form('a broken certificate before the root', broken + root.pem, chained, true),
    form('a broken certificate behind the root', root.pem + broken, chained, true),
    form('a broken certificate in the middle', other.pem + broken + root.pem, chained, true),
    form('broken certificates alone', broken, chained, false),
    form('words between the certificates', `the old one\n${other.pem}the new one\n${root.pem}`, chained, true),
    form('lines that end as on Windows', root.pem.replaceAll('\n', '\r\n'), chained, true),
    form(
      'a certificate under another title',
      root.pem.replaceAll('CERTIFICATE', 'TRUSTED CERTIFICATE'),
      chained,
      false,
    ),
    form(
      'a name as the server’s, where an address is asked',
      root.pem,
      await signed({ names: [{ type: 'dns', value: 'here.example' }] }),
      false,
    ),
    form('no name at all', root.pem, await signed({ names: [] }), false),
    form('a leaf that has expired', root.pem, await signed({ until: lastYear }), false),
    form('a key on P-384', root.pem, await signed({ keys: ec('P-384') }), true),
    form('a key on P-521', root.pem, await signed({ keys: ec('P-521') }), true),
    form('a key of RSA with 2,048 bits', root.pem, await signed({ keys: rsa(2_048) }), true),
    form(
      'a key of RSA with 1,024 bits',
      root.pem,
      { ...(await signed({ keys: rsa(1_024) })), ciphers: 'DEFAULT@SECLEVEL=0' },
      false,
      'OpenSSL asks for 2,048 bits, as everybody who issues certificates does since 2013; to take less would lower what is asked of every other server',
    ),
    ...['X25519', 'P-256', 'P-384', 'P-521'].map((ecdhCurve) =>
      form(`keys exchanged by ${ecdhCurve} alone`, root.pem, { ...chained, ecdhCurve }, true),
    ),
    form('TLS 1.2 alone', root.pem, { ...chained, maxVersion: 'TLSv1.2' }, true),
    form('TLS 1.3 alone', root.pem, { ...chained, minVersion: 'TLSv1.3' }, true),
    form(
      'TLS 1.1 alone',
      root.pem,
      { ...chained, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
      false,
    ),
  ];
}

/** A server of this form that answers `/version` and leases, and a kubeconfig that leads to it. */
export async function servingAs(
  form: TlsForm,
  directory: string,
): Promise<AsyncDisposable & Readonly<{ file: string; text: string }>> {
  const server = createServer(form.serves, ({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(url.startsWith('/version') ? { major: '1', minor: '36' } : leaseList(['a'])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const text = kubeconfigFor({ url: `https://127.0.0.1:${port}`, ca: form.ca });
  const file = join(directory, `${port}.yaml`);
  writeFileSync(file, text, { mode: 0o600 });
  return {
    file,
    text,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
