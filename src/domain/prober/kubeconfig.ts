import * as z from 'zod';
import { listAt, textAt, valueAt } from '../value-at.ts';

/** Everything that is taken from a shoot's kubeconfig (SPEC 4.2). Certificates and keys are PEM texts. There is a token, or a client certificate, or both. */
export type ShootCredentials = Readonly<{
  /** `host` without the brackets of an IPv6 address; `prefix` is a path without a slash at its end. */
  server: Readonly<{ host: string; port: number; prefix: string }>;
  /** The name to verify instead of the host (`tls-server-name`). */
  serverName?: string;
  ca: string;
  token?: string;
  client?: Readonly<{ certificate: string; key: string }>;
}>;

/** The credentials, or why there are none: a line that names the place and repeats no value. */
export type KubeconfigReading =
  | Readonly<{ usable: true; credentials: ShootCredentials }>
  | Readonly<{ usable: false; problem: string }>;

/** A gateway of Gardener hands out tokens of 1 to 2 KB; no header should carry more than this. */
const longestToken = 16_384;

/** Gardener's has 60 characters; its host stands in messages. */
const longestServer = 1_024;

const unset = (value: unknown): boolean => value === undefined || value === null || value === '' || value === false;
/** Go writes an unset text as null or `""`. */
const Optional = z.string().nullish();
/** Settings that would run a program, read a file of this pod, weaken TLS, or put a proxy between us and the shoot. */
const refused = (reason: string) => z.unknown().refine(unset, `is refused: ${reason}`).optional();

const runs = 'it would run a program here';
const reads = 'it would read a file of this pod';
const impersonates = 'it would act as somebody else';
const words = 'only a token or a client certificate may authenticate';

const Server = z
  .string()
  .max(longestServer, 'is too long')
  .transform((text, found) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const refuse = (message: string) => {
      found.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    if (url === undefined) return refuse('is no URL');
    if (url.protocol !== 'https:') return refuse('is not https');
    if (url.username !== '' || url.password !== '') return refuse('carries a user');
    if (url.search !== '' || url.hash !== '') return refuse('carries a query');
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    return { host, port: url.port === '' ? 443 : Number(url.port), prefix: url.pathname.replace(/\/+$/, '') };
  });

const Pem = (label: string) =>
  z.string().transform((text, found) => {
    const pem = decoded(text);
    if (pem?.includes(`-----BEGIN ${label}`)) return pem;
    found.addIssue({ code: 'custom', message: `is not the base64 of a PEM ${label.toLowerCase()}`.trimEnd() });
    return z.NEVER;
  });

const Cluster = z.object({
  server: Server,
  'certificate-authority-data': Pem('CERTIFICATE'),
  // It only says which name is verified against the same authority, and client-go honours it.
  'tls-server-name': z.string().max(253).nullish(),
  'certificate-authority': refused(reads),
  'insecure-skip-tls-verify': refused('the server must be verified'),
  'proxy-url': refused('nothing may stand between us and the shoot'),
});

const User = z.object({
  // Visible ASCII and nothing else, so that no token can end its header and begin another.
  token: z
    .string()
    .max(longestToken, 'is too long')
    .regex(/^[\x21-\x7e]*$/, 'has characters that no header may carry')
    .nullish(),
  'client-certificate-data': Optional,
  'client-key-data': Optional,
  exec: refused(runs),
  'auth-provider': refused(runs),
  tokenFile: refused(reads),
  'client-certificate': refused(reads),
  'client-key': refused(reads),
  as: refused(impersonates),
  'as-uid': refused(impersonates),
  'as-groups': refused(impersonates),
  'as-user-extra': refused(impersonates),
  username: refused(words),
  password: refused(words),
});

const ClientPair = z.object({
  'client-certificate-data': Pem('CERTIFICATE'),
  // An EC, RSA or PKCS #8 key: each has its own label.
  'client-key-data': Pem(''),
});

/** Reads a kubeconfig by its current context (SPEC 4.1, 4.2). Anything may come in; what the current context does not name is not looked at. */
export function readKubeconfig(document: unknown): KubeconfigReading {
  const context = entry(document, 'contexts', textAt(document, 'current-context'), 'context');
  if (context === undefined) return unusable('current-context names no context');

  const cluster = Cluster.safeParse(entry(document, 'clusters', textAt(context, 'cluster'), 'cluster'));
  const user = User.safeParse(entry(document, 'users', textAt(context, 'user'), 'user'));
  if (!cluster.success || !user.success)
    return unusable([...problemsOf('cluster', cluster.error), ...problemsOf('user', user.error)].join('; '));

  const client = user.data['client-certificate-data'] ? ClientPair.safeParse(user.data) : undefined;
  if (client?.success === false) return unusable(problemsOf('user', client.error).join('; '));
  const token = user.data.token ?? '';
  if (token === '' && client === undefined) return unusable('no token yet');

  const serverName = cluster.data['tls-server-name'] ?? '';
  return {
    usable: true,
    credentials: {
      server: cluster.data.server,
      ...(serverName === '' ? {} : { serverName }),
      ca: cluster.data['certificate-authority-data'],
      ...(token === '' ? {} : { token }),
      ...(client === undefined
        ? {}
        : { client: { certificate: client.data['client-certificate-data'], key: client.data['client-key-data'] } }),
    },
  };
}

function entry(document: unknown, list: string, name: string, kind: string): unknown {
  if (name === '') return undefined;
  const found = listAt(document, list).find((candidate) => textAt(candidate, 'name') === name);
  return valueAt(found, kind);
}

function unusable(problem: string): KubeconfigReading {
  return { usable: false, problem };
}

/** `the cluster's server is no URL`: zod's own messages name types only, and never what was found. */
function problemsOf(owner: string, error: z.ZodError | undefined): readonly string[] {
  return (error?.issues ?? []).map(({ path, code, message }) => {
    if (path.length === 0) return `the current context names no ${owner}`;
    const place = `the ${owner}'s ${path.map(String).join('.')}`;
    return code === 'invalid_type' ? `${place} is missing or no text` : `${place} ${message}`;
  });
}

function decoded(base64: string): string | undefined {
  try {
    return atob(base64);
  } catch {
    return undefined;
  }
}
