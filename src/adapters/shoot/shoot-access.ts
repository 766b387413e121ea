import { createHash } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { parse } from 'yaml';
import { readKubeconfig, type KubeconfigReading, type ShootCredentials } from '../../domain/prober/kubeconfig.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import { ProbeFailed } from '../reading/probe-failed.ts';
import { longestKubeconfig, mostKept } from '../reading/shoot-limits.ts';

/** The text of a Secret's kubeconfig, and what changes whenever the text does (its resourceVersion). */
export type KubeconfigText = Readonly<{ text: string; version: string }>;

export type ShootAccess = Readonly<{ credentials: ShootCredentials; secureContext: SecureContext }>;

// A group for each handshake costs one key pair. Node's own first choice is post-quantum and a quarter dearer; what
// passes here is read at most by who breaks X25519 while the token lives, which is hours. Servers that lack it take the next.
const groups = 'X25519:P-256:P-384';

/**
 * Gives what a shoot's API server is reached with. Kubeconfigs are read once for each version, TLS contexts made once for each
 * authority, so that a renewed token costs no new one (25 KB, 0.6 ms). Throws ProbeFailed: missing, unreadable, or refused (SPEC 4.1, 4.2).
 */
export function shootAccesses(
  kubeconfigOf: (shoot: ShootNamespace) => KubeconfigText | undefined,
): (shoot: ShootNamespace) => ShootAccess {
  const accesses = boundedCache<Readonly<{ version: string; access: ShootAccess | ProbeFailed }>>(mostKept);
  const contexts = boundedCache<SecureContext>(mostKept);

  const read = (text: string): ShootAccess | ProbeFailed => {
    const reading = readText(text);
    if (!reading.usable) return unusable(reading.problem);
    try {
      return { credentials: reading.credentials, secureContext: contextFor(reading.credentials, contexts) };
    } catch {
      return unusable('its certificates or its key cannot be used');
    }
  };

  return (shoot) => {
    const found = kubeconfigOf(shoot);
    if (found === undefined) throw unusable('there is no Secret with one');
    let kept = accesses.get(shoot);
    if (kept?.version !== found.version) {
      kept = { version: found.version, access: read(found.text) };
      accesses.set(shoot, kept);
    }
    if (kept.access instanceof ProbeFailed) throw kept.access;
    return kept.access;
  };
}

function unusable(problem: string): ProbeFailed {
  return new ProbeFailed({ reason: 'kubeconfig', detail: `the shoot’s kubeconfig cannot be used: ${problem}` });
}

// Nobody writes aliases but who wants a small text to become a large one; a look at each key's uniqueness takes seconds for
// a few thousand of them. At `silent` the parser would pass errors over.
const yamlOptions = { prettyErrors: false, logLevel: 'error', maxAliasCount: 0, uniqueKeys: false } as const;

/** The parser's messages quote the text, so they go no further. */
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

function contextFor({ ca, client }: ShootCredentials, contexts: BoundedCache<SecureContext>): SecureContext {
  const parts = [ca, client?.certificate ?? '', client?.key ?? ''];
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64');
  const kept = contexts.get(key);
  if (kept !== undefined) return kept;
  const made = createSecureContext({
    ca,
    ...(client === undefined ? {} : { cert: client.certificate, key: client.key }),
    ecdhCurve: groups,
    minVersion: 'TLSv1.2',
  });
  contexts.set(key, made);
  return made;
}

export type BoundedCache<Value> = Readonly<{
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}>;

/** Keeps at most `most` values, and lets go of those that were used the longest ago. */
export function boundedCache<Value>(most: number): BoundedCache<Value> {
  // A Map remembers the order in which keys came; a key that is used is put last.
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
