import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Instant } from '../../domain/time.ts';
import { instantText } from '../words/plain-words.ts';

/** A PEM text, and where the operator finds it: `context "seed", user "admin", client-certificate`. */
export type PlacedPem = Readonly<{ place: string; pem: string }>;

const certificateBlock = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs;

/** Throws an Error that names the place where there is no certificate, or a broken one. */
function checkCertificates({ place, pem }: PlacedPem): readonly X509Certificate[] {
  const blocks = pem.match(certificateBlock) ?? [];
  if (blocks.length === 0) throw new Error(`${place} must hold a certificate in PEM`);
  return blocks.map((block) => {
    try {
      return new X509Certificate(block);
    } catch (error) {
      throw new Error(`${place} holds a certificate that cannot be read`, { cause: error });
    }
  });
}

/** What stands in a bundle of authorities: the certificates that can be read, and a sentence about the others, if there are any. */
export type Authorities = Readonly<{ pem: string; skipped?: string }>;

/**
 * Reads a bundle as Go does (SPEC 4.2): what cannot be read is skipped, where OpenSSL would stop at it, and trust nothing that follows. Throws an Error that
 * names the place where nothing can be read.
 */
export function readAuthorities({ place, pem }: PlacedPem): Authorities {
  const blocks = pem.match(certificateBlock) ?? [];
  const readable = blocks.filter(isCertificate);
  if (readable.length === blocks.length || readable.length === 0) {
    checkCertificates({ place, pem });
    return { pem: blocks.join('\n') };
  }
  const unread = blocks.length - readable.length;
  const skipped = `${place}: ${unread} of ${blocks.length} certificates cannot be read, and ${unread === 1 ? 'is' : 'are'} not trusted`;
  return { pem: readable.join('\n'), skipped };
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0;
  } catch {
    return false;
  }
}

/** Throws an Error that names the place where the two cannot be used, or not together. Returns a warning where the certificate has expired. */
export function checkClientPair(certificate: PlacedPem, key: PlacedPem, now: Instant): string | undefined {
  const [own] = checkCertificates(certificate);
  const privateKey = privateKeyOf(key);
  if (own?.checkPrivateKey(privateKey) !== true)
    throw new Error(`${key.place} is not the key of the client certificate`);
  const endsAt = own.validToDate.getTime();
  return endsAt < now ? `${certificate.place} expired at ${instantText(endsAt)}; the seed will refuse it` : undefined;
}

function privateKeyOf({ place, pem }: PlacedPem): ReturnType<typeof createPrivateKey> {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    const encrypted = pem.includes('ENCRYPTED') ? 'without a passphrase' : 'in PEM';
    throw new Error(`${place} must hold a private key ${encrypted}`, { cause: error });
  }
}
