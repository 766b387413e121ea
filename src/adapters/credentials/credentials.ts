import { readFile } from 'node:fs/promises';
import { fileErrorWords } from '../words/errno-words.ts';

/** For TLS, as PEM. Without `ca` the system's own authorities are trusted. */
export type TlsMaterial = Readonly<{
  ca?: string;
  cert?: string;
  key?: string;
  /** The certificate must be for this name, in place of the host's. */
  servername?: string;
  /** False only where the operator's own kubeconfig says `insecure-skip-tls-verify`. */
  rejectUnauthorized?: boolean;
}>;

/** How to reach an API server, and as which user. */
export type Credentials = Readonly<{
  /** `https://host:port`, with a path where the server stands behind a proxy; no slash at the end. */
  server: string;
  /** Authorization, and impersonation where a kubeconfig asks for it. Secret. */
  headers: Readonly<Record<string, string | string[]>>;
  tls: TlsMaterial;
  /** For the operator, once at the start: sentences about what works and yet is most likely wrong. */
  warnings?: readonly string[];
}>;

/** A source that knows to which server its last credentials lead: `https://host:port`, without a path. */
export interface KnownServer extends CredentialSource {
  readonly server: string;
}

export function knowServer(source: CredentialSource): KnownServer {
  let server = 'a server that is not known yet';
  return {
    origin: source.origin,
    get server() {
      return server;
    },
    async read(fresh) {
      const credentials = await source.read(fresh);
      server = new URL(credentials.server).origin;
      return credentials;
    },
  };
}

/** The source of the credentials; they change while the program runs (SPEC 1.2). */
export interface CredentialSource {
  /** For the operator, without a secret: `the kubeconfig /x/y`. */
  readonly origin: string;
  /** Returns the present credentials; `fresh` ignores everything that was cached. Rejects with an Error whose message names the file. */
  read(fresh: boolean): Promise<Credentials>;
}

/** The text of a file. Rejects with an Error that says why it cannot be read; the place, if there is one, begins it. */
export async function readPlaced(place: string | undefined, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const why = fileErrorWords(error);
    throw new Error(place === undefined ? why : `${place}: ${why}`, { cause: error });
  }
}
