import { textAt } from '../../domain/value-at.ts';

/** The kubeconfig in a shoot's Secret (SPEC 4.1). `version` changes whenever `text` does. Never to be logged. */
export type KubeconfigSecret = Readonly<{ text: string; version: string }>;

/**
 * Characters of base64; Gardener's kubeconfig has 4,000, with five authorities 14,000. What is longer is not kept:
 * thousands of them are in memory at once.
 */
const longest = 175_000;

/** Keeps of a Secret its key `kubeconfig`, decoded; undefined where that is missing, empty, or too long. */
export function readKubeconfigSecret(secret: unknown): KubeconfigSecret | undefined {
  const encoded = textAt(secret, 'data', 'kubeconfig');
  if (encoded === '' || encoded.length > longest) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  return { text, version: textAt(secret, 'metadata', 'resourceVersion') };
}
