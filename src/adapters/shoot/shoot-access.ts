import { createHash } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { parse } from 'yaml';
import { readKubeconfig, type KubeconfigReading, type ShootCredentials } from '../../domain/prober/kubeconfig.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import { readAuthorities } from '../credentials/tls-material.ts';
import { ProbeFailed } from '../reading/probe-failed.ts';
import { longestKubeconfig, mostKept } from '../reading/shoot-limits.ts';
import { TlsTickets } from './tls-tickets.ts';

/** The text of the kubeconfig that the watch on Secrets holds, asked for at each probe (SPEC 4.1). Undefined where there is none. */
export type KubeconfigSource = (shoot: ShootNamespace, secret: string) => string | undefined;

/** A Secret's name, and the key of the configuration that gives it. */
export type ProbeSecret = Readonly<{
  name: string;
  key: 'kubeConfigSecretName' | 'internalKubeConfigSecretName' | 'externalKubeConfigSecretName';
}>;

/** `skipped`: a sentence about the authorities that cannot be read, beside others that can. */
export type ShootAccess = Readonly<{
  credentials: ShootCredentials;
  secureContext: SecureContext;
  skipped?: string;
  tickets: TlsTickets;
}>;

type Context = Pick<ShootAccess, 'secureContext' | 'skipped'>;

// The first group costs each handshake one key pair. Node's own first choice is post-quantum, and a quarter more expensive. Nobody
// can read our traffic without breaking X25519 within the hours for which the token is valid. Servers without it use the next group.
const groups = 'X25519:P-256:P-384:P-521';

/**
 * Returns how to reach a shoot's API server. A kubeconfig is parsed once as long as its text stays the same: its version may stay the same though the text
 * does not, on a seed that was restored from a backup. A TLS context is made once for each authority, so a renewed token needs no new one (25 KB, 0.6 ms).
 * Throws ProbeFailed where the kubeconfig is missing, unreadable or refused (SPEC 4.1, 4.2).
 */
export function shootAccesses(
  kubeconfigOf: KubeconfigSource,
): (shoot: ShootNamespace, secret: ProbeSecret) => ShootAccess {
  const accesses = boundedCache<Readonly<{ text: string; access: ShootAccess | ProbeFailed }>>(mostKept);
  const contexts = boundedCache<Context>(mostKept);

  const read = (text: string): ShootAccess | ProbeFailed => {
    const reading = readText(text);
    if (!reading.usable) return unusable(reading.problem);
    try {
      return {
        credentials: reading.credentials,
        ...contextFor(reading.credentials, contexts),
        tickets: new TlsTickets(),
      };
    } catch {
      return unusable('its certificates or its key cannot be used');
    }
  };

  return (shoot, secret) => {
    const text = kubeconfigOf(shoot, secret.name);
    if (text === undefined)
      throw unusable(`its Secret, of the name that ${secret.key} gives, is missing in ${shoot}, or has no kubeconfig`);
    const key = `${shoot}/${secret.name}`;
    let kept = accesses.get(key);
    if (kept?.text !== text) {
      kept = { text, access: read(text) };
      accesses.set(key, kept);
    }
    if (kept.access instanceof ProbeFailed) throw kept.access;
    return kept.access;
  };
}

function unusable(problem: string): ProbeFailed {
  return new ProbeFailed({ reason: 'kubeconfig', detail: `the shoot's kubeconfig cannot be used: ${problem}` });
}

// Only an attacker writes aliases, to make a large value of a small text. To check that each key is unique takes seconds for a few
// thousand keys. With `silent` the parser would ignore errors.
const yamlOptions = { prettyErrors: false, logLevel: 'error', maxAliasCount: 0, uniqueKeys: false } as const;

/** The parser's messages quote the text, so they are dropped. */
function readText(text: string): KubeconfigReading {
  if (text.length > longestKubeconfig) return { usable: false, problem: `it is above ${longestKubeconfig} characters` };
  let document: unknown;
  try {
    document = parse(text, yamlOptions);
  } catch {
    return { usable: false, problem: 'it is no YAML' };
  }
  return readKubeconfig(document);
}

function contextFor({ ca, client }: ShootCredentials, contexts: BoundedCache<Context>): Context {
  const parts = [ca, client?.certificate ?? '', client?.key ?? ''];
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64');
  const kept = contexts.get(key);
  if (kept !== undefined) return kept;
  const { pem, ...others } = readAuthorities({ place: 'certificate-authority-data', pem: ca });
  const secureContext = createSecureContext({
    ca: pem,
    // Whatever stands in the bundle is an anchor, as it is for Go: an intermediate alone, or the server's own certificate.
    allowPartialTrustChain: true,
    ...(client === undefined ? {} : { cert: client.certificate, key: client.key }),
    ecdhCurve: groups,
    minVersion: 'TLSv1.2',
  });
  const made = { secureContext, ...others };
  contexts.set(key, made);
  return made;
}

export type BoundedCache<Value> = Readonly<{
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}>;

/** Holds at most `most` values, and drops the least recently used ones. */
export function boundedCache<Value>(most: number): BoundedCache<Value> {
  // A Map remembers the order of its keys; a key that is used is put last.
  const kept = new Map<string, Value>();
  const put = (key: string, value: Value): void => {
    kept.delete(key);
    kept.set(key, value);
  };
  return {
    get: (key) => {
      const value = kept.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    set: (key, value) => {
      put(key, value);
      for (const oldest of kept.keys()) {
        if (kept.size <= most) break;
        kept.delete(oldest);
      }
    },
  };
}
